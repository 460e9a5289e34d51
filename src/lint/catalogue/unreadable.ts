import { plain } from '../quote.ts'
import type { CatalogueEntry } from './entry.ts'

/** Messages about files that cannot be used as a whole. */
export const unreadable: readonly CatalogueEntry[] = [
  {
    code: 'parse_error',
    levels: ['error'],
    meaning:
      'The file is not valid YAML, so it cannot be read. A push gets a build with a single ' +
      'errored job, whose log says the same.',
    // Clients recognize the message by its first words.
    text: ({ problem, hint }) => `syntax error: ${sentences(problem, hint)}`,
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
          'syntax error: A value on the line of its key holds a colon followed by a space. Put ' +
            'the whole value in quotes that it does not contain, or move the nested key to a line of its own, ' +
            'indented.',
        ],
      },
    ],
  },
  {
    code: 'format_error',
    levels: ['error'],
    meaning:
      'The file is valid YAML, but its root is a list or a single value rather than a mapping of ' +
      'keys to values. A push gets a build with a single errored job, whose log says the same.',
    text: ({ problem, hint }) => `format error: ${sentences(problem, hint)}`,
    examples: [
      {
        source: '- language: ruby\n',
        messages: [
          'format error: The root of the file must be a mapping of keys to values, but it is a list. Put ' +
            'the list under a key, or remove its dashes.',
        ],
      },
      {
        source: 'make\n',
        messages: [
          'format error: The root of the file must be a mapping of keys to values, but it is a string. ' +
            'Write lines such as "language: ruby".',
        ],
      },
    ],
  },
]

function sentences(...parts: unknown[]): string {
  return parts
    .filter((part) => part !== null && part !== undefined)
    .map(plain)
    .join(' ')
}
