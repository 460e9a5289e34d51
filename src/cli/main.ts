import { createProgram } from './program.ts'
import { runProgram } from './run-program.ts'

await runProgram(() => createProgram().parseAsync(process.argv))
