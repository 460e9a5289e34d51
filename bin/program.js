const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
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
  program ??= run(compileProgram(readCompiled()))
  return program
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
  script.runInThisContext()(createRequire(bundle), module, bundle, path.dirname(bundle))
  return module.exports
}

module.exports = { compiled, compileProgram, loadProgram, run }
