const { existsSync, readFileSync } = require('node:fs')
const path = require('node:path')
const { Script } = require('node:vm')

/** The linter in one file, and what the compiler made of it: of use to that very Node only. */
const bundle = path.join(__dirname, '../dist/linter/main.cjs')
const { version, platform, arch, env } = process
const compiled = path.join(bundle, `../main.${version}-${platform}-${arch}.compiled`)

/** Runs the linter. Compiling takes longer than all the rest, so it is not done twice. */
async function runLinter() {
  const cachedData = readCompiled()
  if (cachedData) {
    runCompiled(cachedData)
  } else if (!existsSync(bundle) && canBundle()) {
    runText(await bundleOnce())
  } else {
    keepCompiled()
    require(bundle)(require, bundle)
  }
}

/** Not there, or not ours to read: then it takes longer. */
function readCompiled() {
  try {
    return readFileSync(compiled)
  } catch {
    return undefined
  }
}

/** Package managers may install it from git without building anything (`docs/decisions/016`). */
function canBundle() {
  try {
    require.resolve('esbuild')
    return existsSync(path.join(__dirname, '../src/cli/linter/main.ts'))
  } catch {
    return false
  }
}

async function bundleOnce() {
  const { bundleText, keepBundle } = await import('../scripts/bundle.js')
  const { text } = await bundleText()
  try {
    keepBundle(path.dirname(__dirname), text)
  } catch {
    // It belongs to somebody else, so it takes as long the next time.
  }
  return text
}

/** Runs it with what was compiled before, of a bundle of the same length: see `keepBundle`. It is ASCII. */
function runCompiled(cachedData) {
  return runText(readFileSync(bundle, 'latin1'), cachedData)
}

function runText(bundled, cachedData) {
  const script = new Script(bundled, { filename: bundle, ...(cachedData ? { cachedData } : {}) })
  script.runInThisContext()(require, bundle)
  return script
}

/** From Node 22.1 on. Not in the folder for temporary files, where others might plant code. */
function keepCompiled() {
  const { enableCompileCache } = require('node:module')
  const { NODE_COMPILE_CACHE, XDG_CACHE_HOME, HOME } = env
  const home = XDG_CACHE_HOME || (HOME && path.join(HOME, '.cache'))
  if (NODE_COMPILE_CACHE) enableCompileCache?.()
  else if (home) enableCompileCache?.(path.join(home, 'build-service'))
}

module.exports = { compiled, runCompiled, runLinter }
