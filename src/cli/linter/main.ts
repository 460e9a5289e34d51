import { runProgram } from '../run-program.ts'
import { runLinter } from './commands.ts'

void runProgram(() => runLinter(process.argv.slice(2)))
