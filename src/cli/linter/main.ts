import { runProgram } from '../run-program.ts'
import type { LinterCommandName, Run } from './commands.ts'
import { expand } from './expand/expand.ts'
import { explainCode } from './explain-code.ts'
import { inspect } from './inspect/inspect.ts'
import { lint } from './lint.ts'
import { endWhenPrinted } from './print.ts'

/** In a bundle, what is imported at once starts sooner than what is imported when it is wanted. */
const runs: Readonly<Record<LinterCommandName, Run>> = {
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
