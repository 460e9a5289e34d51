import { explain } from './errors.ts'
import { readerIsGone } from './signals.ts'

/** Runs the work of a program, and turns a thrown error into a message and an exit code. */
export async function runProgram(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { message, code } = explain(error)
    process.stderr.write(`build-service: ${message}\n`, () => process.exit(code))
  }
}

/** A closed pipe (`build-service … | head`) is not an error. */
export function endWithReader(): void {
  process.stdout.on('error', readerIsGone)
  process.stderr.on('error', readerIsGone)
}
