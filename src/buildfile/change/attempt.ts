import type { Telling } from '../tell.ts'

/** Tries something that may come to nothing; then nothing is told of it. */
export function attempt<T>({ messages }: Telling, make: () => T | undefined): T | undefined {
  const before = messages.length
  const made = make()
  if (made === undefined) messages.length = before
  return made
}
