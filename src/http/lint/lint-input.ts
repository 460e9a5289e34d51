import { described, type Values } from '../parameters/parameter.ts'
import { flag, text } from '../parameters/kinds.ts'
import { bodyOf } from '../given.ts'
import type { Call } from '../endpoint.ts'

/** What to lint, and how. */
export interface LintInput {
  text: string
  /** Whether advice is wanted besides the messages (D31). */
  advice: boolean
}

/** The build file, unless it is the body itself, and whether advice is wanted. */
export const lintParameters = {
  content: text('the build file; without it the body is the build file'),
  advice: described('whether advice is wanted besides', flag()),
}

/** The build file of a call: the parameter `content`; without it the body, whatever its type. */
export function readLintInput(
  { request }: Call,
  { content, advice }: Values<typeof lintParameters>,
): LintInput {
  return { text: content ?? bodyOf(request).toString(), advice }
}
