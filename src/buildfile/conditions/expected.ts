import { ConditionError } from './condition.ts'
import type { Scanner } from './scanner.ts'

/** The error for unexpected text, or the end of the text, instead of `what`. */
export function expected(scanner: Scanner, what: string): ConditionError {
  const found = scanner.take(/\S{1,30}/y)
  if (!found) return new ConditionError(`${what} is missing at the end`, scanner.at())
  return new ConditionError(`there is "${found[0]}" where ${what} should be`, found.index)
}
