import { createProgram } from './program.ts'
import { endWithReader, runProgram } from './run-program.ts'

endWithReader()
await runProgram(() => createProgram().parseAsync(process.argv))
