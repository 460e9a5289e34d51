import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/**
 * Bundles the linter's commands into one file, which starts in a fraction of the time that its
 * modules take, and keeps what the compiler makes of it. Returns what went into it.
 *
 * @param {string} folder where `bin/` lies, and `dist/` is to be
 */
export async function bundleLinter(folder) {
  // The compiled form of another bundle must not be used for this one.
  rmSync(path.join(folder, 'dist/linter'), { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: [path.join(root, 'src/cli/linter/main.ts')],
    // As deep as its parts are in `dist/`: they look for `package.json` from there.
    outfile: path.join(folder, 'dist/linter/main.cjs'),
    absWorkingDir: root,
    bundle: true,
    minify: true,
    metafile: true,
    format: 'cjs',
    target: 'node20',
    platform: 'neutral',
    external: ['node:*'],
    // The one part of the package that is used; the others would come along.
    alias: { yaml: path.join(root, 'node_modules/yaml/browser/dist/parse/lexer.js') },
    define: { 'import.meta.url': 'bundleUrl' },
    banner: {
      js: `'use strict';const bundleUrl=require('node:url').pathToFileURL(__filename).href;`,
    },
    logLevel: 'warning',
  })
  compile(folder)
  return Object.keys(metafile.inputs)
}

/** Without it the linter only starts more slowly, so nothing that goes wrong here matters. */
function compile(folder) {
  const sample = path.join(root, 'demo/sample/.service.yml')
  const program = path.join(root, 'scripts/compile.cjs')
  spawnSync(process.execPath, [program, folder, sample], { stdio: 'ignore' })
}
