// Builds `dist/` from `src/`. With --if-stale only when a source is newer than the last build.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const stamp = path.join(root, 'dist', '.built')
// What browsers load as it is, so the compiler does not make it.
const assets = ['style.css', 'client/lint.js', 'client/login.js'].map((file) =>
  path.join('http/pages', file),
)
const tools = [
  import.meta.filename,
  ...[
    'scripts/bundle.js',
    'scripts/bundle-service.js',
    'scripts/compile.cjs',
    'scripts/compile-program.cjs',
    'bin/linter.js',
    'bin/program.js',
    'package-lock.json',
    'tsconfig.json',
  ].map((file) => path.join(root, file)),
]

function newest(folder) {
  return Math.max(
    statSync(folder).mtimeMs,
    ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const at = path.join(folder, entry.name)
      return entry.isDirectory() ? newest(at) : statSync(at).mtimeMs
    }),
  )
}

function isStale() {
  if (!existsSync(stamp)) return true
  const built = statSync(stamp).mtimeMs
  const changed = tools.map((file) => statSync(file).mtimeMs)
  return Math.max(newest(path.join(root, 'src')), ...changed) > built
}

function compiler() {
  try {
    const found = createRequire(import.meta.url).resolve('typescript/package.json')
    return path.join(path.dirname(found), 'bin', 'tsc')
  } catch {
    return undefined
  }
}

/** Scripts of pages with what they share with the server, or take from a package: a file each, for browsers. */
async function buildPageScripts() {
  const { build } = await import('esbuild')
  await build({
    entryPoints: ['job.js', 'live.js'].map((file) =>
      path.join(root, 'src/http/pages/client', file),
    ),
    outdir: path.join(root, 'dist/http/pages/client'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
  })
}

/** The linter in one file, which runtime dependencies are enough for, if they are there. */
async function buildLinter() {
  const { bundleText, keepBundle } = await import('./bundle.js')
  const { text } = await bundleText()
  keepBundle(root, text)
}

// What was installed has some of the sources, but not this.
const sources = existsSync(path.join(root, 'tsconfig.json'))
if (sources && (!process.argv.includes('--if-stale') || isStale())) {
  const tsc = compiler()
  if (tsc) {
    // Types are checked by `npm run check`.
    const { status } = spawnSync(process.execPath, [tsc, '-p', root, '--noCheck'], {
      stdio: 'inherit',
    })
    if (status !== 0) process.exit(status ?? 1)
    for (const file of assets) {
      const target = path.join(root, 'dist', file)
      mkdirSync(path.dirname(target), { recursive: true })
      copyFileSync(path.join(root, 'src', file), target)
    }
    await buildPageScripts()
    await buildLinter()
    const { bundleService } = await import('./bundle-service.js')
    await bundleService()
    writeFileSync(stamp, '')
  } else if (!existsSync(stamp)) {
    // `npm ci --omit=dev` runs this too, without the compiler, and `npm pack` without any package.
    await buildLinter().catch(() => {})
    console.error(
      'Only the linter is built. For the service run `npm ci && npm run build` (with dev dependencies).',
    )
  }
}
