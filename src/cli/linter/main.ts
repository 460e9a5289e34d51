import { runProgram } from '../run-program.ts'
import type { LinterCommandName, RunCommand } from './commands.ts'
import { expand } from './expand/expand.ts'
import { explainCode } from './explain-code.ts'
import { inspect } from './inspect/inspect.ts'
import { lint } from './lint.ts'
import { endWhenPrinted } from './print.ts'

/** In a bundle, static imports start faster than dynamic ones. */
const runs: Readonly<Record<LinterCommandName, RunCommand>> = {
  lint,
  expand,
  explain: explainCode,
  inspect,
}

void runProgram(async () => {
  const [, , name, ...args] = process.argv
  process.exitCode = await runs[name as LinterCommandName](args)
  endWhenPrinted()
})
