// Lints a file, and keeps what the compiler made of the linter's bundle meanwhile: that is most of
// what `lint` would otherwise do at each start. Arguments: the folder of the program, the file.
const { renameSync, writeFileSync } = require('node:fs')
const path = require('node:path')

const [node, program, folder, file] = process.argv
const { compiled, runCompiled } = require(path.join(folder, 'bin/linter.js'))
process.argv = [node, program, 'lint', file]
const script = runCompiled()
process.once('exit', () => {
  const written = `${compiled}.${process.pid}.new`
  writeFileSync(written, script.createCachedData())
  renameSync(written, compiled)
})
