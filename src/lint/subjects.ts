import type { MessageLevel } from '../domain/request/request.ts'
import { catalogue } from './catalogue/index.ts'
import type { Example } from './example.ts'
import { rules } from './rules/index.ts'

/** One code of a finding, as pages describe it. Names and code stand in backticks. */
export interface Subject {
  code: string
  /** The worst comes first. */
  levels: readonly MessageLevel[]
  kind: 'message' | 'advice'
  /** Paragraphs; the first sentence says what it is about. */
  text: readonly string[]
  examples: readonly Example[]
}

/** Everything that the linter finds: messages of the reader, then advice. */
export const subjects: readonly Subject[] = [
  ...catalogue.map(({ code, levels, meaning, examples }): Subject => {
    return { code, levels, kind: 'message', text: [meaning], examples }
  }),
  ...rules.map(({ code, level, summary, why, examples }): Subject => {
    return { code, levels: [level], kind: 'advice', text: [summary, why], examples }
  }),
]

/** Summary of a subject, in a sentence. */
export function summaryOf({ text }: Subject): string {
  const [summary = ''] = (text[0] ?? '').split(/(?<=\.)\s/)
  return summary
}

/** Whether there is a fix, and whether it is applied only on request. */
export function fixOf({ examples }: Subject): 'none' | 'safe' | 'on request' {
  const fixed = examples.find((example) => example.fixed !== undefined)
  if (!fixed) return 'none'
  return fixed.onRequest ? 'on request' : 'safe'
}
