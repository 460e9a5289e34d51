import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/**
 * Bundles the linter's commands into one file, which starts in a fraction of the time that its
 * modules take. Needs no development dependency: where this was installed without being built, the
 * linter bundles itself. Returns the file, and what went into it.
 */
export async function bundleText() {
  const { metafile, outputFiles } = await build({
    entryPoints: [path.join(root, 'src/cli/linter/main.ts')],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'cjs',
    target: 'node20',
    platform: 'neutral',
    external: ['node:*'],
    define: { 'import.meta': 'bundled' },
    // A function, so that it need not be copied into one at each start: that is what takes longest.
    banner: {
      js: `(typeof module==='object'?module:{}).exports=function(require,__filename){'use strict';const bundled={get url(){return require('node:url').pathToFileURL(__filename).href}};`,
    },
    footer: { js: '}' },
    logLevel: 'warning',
  })
  const text = outputFiles[0]?.text ?? ''
  // It is read as one byte a character (`bin/linter.js`). In patterns, esbuild escapes nothing.
  const [strange] = /[^\0-\x7f]/.exec(text) ?? []
  if (strange !== undefined) throw new Error(`write ${strange} in a pattern as \\u…`)
  return { text, parts: Object.keys(metafile.inputs) }
}

/**
 * Keeps a bundle, and what the compiler makes of it. Others may start the linter meanwhile.
 *
 * @param {string} folder where `bin/` lies, and `dist/` is to be
 * @param {string} text
 */
export function keepBundle(folder, text) {
  // As deep as its parts are in `dist/`: they look for `package.json` from there.
  const target = path.join(folder, 'dist/linter')
  mkdirSync(target, { recursive: true })
  // The compiled form of another bundle must not be used for this one.
  for (const file of readdirSync(target)) {
    if (file.endsWith('.compiled')) rmSync(path.join(target, file), { force: true })
  }
  const written = path.join(target, `main.${process.pid}.new`)
  writeFileSync(written, text)
  renameSync(written, path.join(target, 'main.cjs'))
  compile(folder)
}

/** Without it the linter only starts more slowly, so nothing that goes wrong here matters. */
function compile(folder) {
  const sample = path.join(root, 'demo/sample/.service.yml')
  const program = path.join(root, 'scripts/compile.cjs')
  spawnSync(process.execPath, [program, folder, sample], { stdio: 'ignore' })
}
