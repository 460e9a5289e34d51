import { plain } from '../quote.ts'
import type { Entry } from './entry.ts'

/** What makes a file unusable as a whole. */
export const unreadable: readonly Entry[] = [
  {
    code: 'parse_error',
    levels: ['error'],
    meaning:
      'The file is not valid YAML, so nothing in it can be read. A push gets a build with a single ' +
      'errored job, whose log says the same.',
    text: ({ problem, hint }) => syntaxError(problem, hint),
    examples: [],
  },
  {
    code: 'format_error',
    levels: ['error'],
    meaning:
      'The file is valid YAML, but its outermost part is a list or a text rather than a map of ' +
      'keys and values. A push gets a build with a single errored job, whose log says the same.',
    text: ({ problem, hint }) => syntaxError(problem, hint),
    examples: [],
  },
]

/** Clients know it by its first words. */
function syntaxError(problem: unknown, hint: unknown): string {
  return `syntax error: ${[problem, hint].map(plain).filter(Boolean).join(' ')}`
}
