// Loads the service, and keeps what the compiler made of it meanwhile: that is most of what each start
// would otherwise do.
const { renameSync, writeFileSync } = require('node:fs')
const { compiled, compileProgram, run } = require('../bin/program.js')

const script = compileProgram()
void run(script)
  .service()
  .then(() => {
    writeFileSync(`${compiled}.new`, script.createCachedData())
    renameSync(`${compiled}.new`, compiled)
    process.exit()
  })
