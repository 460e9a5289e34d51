#!/usr/bin/env node
const { writeSync } = require('node:fs')
const { runLinter } = require('./linter.js')
const { loadProgram } = require('./program.js')

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`build-service needs Node 20.19 or later; this is ${process.version}.`)
  process.exit(78)
}

const [, , command, ...more] = process.argv
// Ids of requests, webhooks and commits have a digit, or are long and hexadecimal; no code of the linter is so.
const isOfLinter = command !== 'explain' || !more.some((word) => /\d|^[a-f]{7,}$/.test(word))
// What editors and hooks call starts quickly: without the service, and without a module loader.
if (['lint', 'expand', 'explain', 'inspect'].includes(command) && isOfLinter)
  void start(runLinter, '/dist/linter/main.cjs')
else if (['--version', '-V'].includes(command) && more.length === 0) {
  writeSync(1, `${require('../package.json').version}\n`)
} else void start(async () => loadProgram().cli(), '/dist/bundled/program.cjs')

/** Says what to do where the program has not been built. */
async function start(run, program) {
  try {
    await run()
  } catch (error) {
    const isMissing = ['ENOENT', 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(error?.code)
    if (!isMissing || !String(error.url ?? error.message).includes(program)) throw error
    console.error(
      'build-service is not built yet. Run `npm run build` in its folder, then try again.',
    )
    process.exit(78)
  }
}
