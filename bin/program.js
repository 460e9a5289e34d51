const { readFileSync } = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const { constants, Script } = require('node:vm')

/** The command and the service in one file, and what the compiler made of it: of use to that very Node only. */
const bundle = path.join(__dirname, '../dist/bundled/program.cjs')
const { version, platform, arch } = process
const compiled = path.join(bundle, `../program.${version}-${platform}-${arch}.compiled`)

/**
 * The parts of the program, each loaded when it is called.
 * @typedef {object} Program
 * @property {() => Promise<unknown>} cli
 * @property {() => Promise<typeof import('../src/config/config.ts')>} config
 * @property {() => Promise<typeof import('../src/service/start.ts')>} service
 */

/** @type {Program | undefined} */
let program

/** @returns {Program} */
function loadProgram() {
  if (!program) forgetHome()
  program ??= run(compileProgram(readCompiled()))
  return program
}

/**
 * Node also looks for missing modules in the home folder. Jobs may write there (docs/running.md), so it
 * would load their code into the service.
 */
function forgetHome() {
  const { HOME } = process.env
  delete process.env.HOME
  Module._initPaths()
  if (HOME !== undefined) process.env.HOME = HOME
}

/** Not there, or not ours to read: then it takes longer. */
function readCompiled() {
  try {
    return readFileSync(compiled)
  } catch {
    return undefined
  }
}

/** @param {Buffer} [cachedData] */
function compileProgram(cachedData) {
  return new Script(readFileSync(bundle, 'utf8'), {
    filename: bundle,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData ? { cachedData } : {}),
  })
}

/** @param {Script} script */
function run(script) {
  const module = { exports: {} }
  script.runInThisContext()(Module.createRequire(bundle), module, bundle, path.dirname(bundle))
  return module.exports
}

module.exports = { compiled, compileProgram, loadProgram, run }
