import { onTestFinished } from 'vitest'
import { captureStatements, type Statement } from './sent-statements.ts'

/** Every statement that this process sends to PostgreSQL from now until the end of the test. */
export function watchStatements(): Statement[] {
  const { statements, stop } = captureStatements()
  onTestFinished(stop)
  return statements
}
