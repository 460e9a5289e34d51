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
    examples: [
      {
        source: 'script: "make\n',
        messages: [
          'syntax error: The quote (") that starts here is never closed. Add the closing ". A text that ' +
            'only contains this character needs quotes of the other kind around it.',
        ],
      },
      {
        source: 'script: make: all\n',
        messages: [
          'syntax error: A value on the line of its key holds a colon with a blank behind it. Put ' +
            'quotes around the whole value, of a kind that is not in it, or move the nested key to a line of its ' +
            'own, indented.',
        ],
      },
    ],
  },
  {
    code: 'format_error',
    levels: ['error'],
    meaning:
      'The file is valid YAML, but its outermost part is a list or a text rather than a map of ' +
      'keys and values. A push gets a build with a single errored job, whose log says the same.',
    text: ({ problem, hint }) => syntaxError(problem, hint),
    examples: [
      {
        source: '- language: ruby\n',
        messages: [
          'syntax error: A build file is a map of keys and values, but this is a list. Write lines ' +
            'like "language: ruby".',
        ],
      },
    ],
  },
]

/** Clients know it by its first words. */
function syntaxError(problem: unknown, hint: unknown): string {
  const said = [problem, hint].filter((part) => part !== null && part !== undefined)
  return `syntax error: ${said.map(plain).join(' ')}`
}
