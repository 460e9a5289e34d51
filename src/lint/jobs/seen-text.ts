import type { Findings } from '../../buildfile/expand/rules/judge.ts'
import { secretVariableIn } from '../secret-conditions.ts'
import { visible } from '../../domain/visible.ts'
import { quote } from '../quote.ts'

/** What the variables of a condition stood for, in words; empty where it has none. */
export function seenText(saw: Findings['saw']): string {
  return saw.map(({ text, value }) => `${visible(text)} was ${shown(text, value)}`).join(', ')
}

function shown(text: string, value: unknown): string {
  if (value === null || value === undefined) return 'blank'
  return secretVariableIn(text) ? '[secure]' : quote(value)
}
