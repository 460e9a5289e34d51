import { createProgram } from './program.ts'
import { endWithReader, runProgram } from './run-program.ts'

endWithReader()
void runProgram(() => createProgram().parseAsync(process.argv))
