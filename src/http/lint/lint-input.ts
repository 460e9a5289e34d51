import type { Call } from '../core/endpoint.ts'
import { bodyOf } from '../core/request-input.ts'
import { flag, text } from '../parameters/kinds.ts'
import { described, type Values } from '../parameters/parameter.ts'

/** The text to lint, and the options. */
export interface LintInput {
  text: string
  /** Whether advice is requested in addition to the messages (D31). */
  advice: boolean
}

/** The build file, unless it is the body itself, and whether advice is wanted. */
export const lintParameters = {
  content: text('the build file; without it the body is the build file'),
  advice: described('whether to return advice too', flag()),
}

/** The build file of a call: the parameter `content`, or else the body, regardless of its type. */
export function readLintInput(
  { request }: Call,
  { content, advice }: Values<typeof lintParameters>,
): LintInput {
  return { text: content ?? bodyOf(request).toString(), advice }
}
