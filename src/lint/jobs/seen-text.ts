import type { Findings } from '../../buildfile/expand/rules/judge.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { quote } from '../quote.ts'
import { secretVariableIn } from '../secret-conditions.ts'

/** The values of a condition's variables, in words; empty if it has none. */
export function seenText(saw: Findings['saw']): string {
  return saw.map(({ text, value }) => `${visible(text)} was ${shown(text, value)}`).join(', ')
}

function shown(text: string, value: unknown): string {
  if (value === null || value === undefined) return 'blank'
  return secretVariableIn(text) ? '[secure]' : quote(value)
}
