import { ConditionError } from '../../buildfile/conditions/condition.ts'
import { parseCondition } from '../../buildfile/conditions/parse.ts'
import { plain, quote } from '../quote.ts'
import type { CatalogueEntry } from './entry.ts'

/** Messages about texts with a grammar of their own: variables, conditions, templates. */
export const expressions: readonly CatalogueEntry[] = [
  {
    code: 'invalid_env_var',
    levels: ['error'],
    meaning:
      'The text should define environment variables, such as `A=1 B="two words"`, but it cannot be ' +
      'parsed. All its definitions are lost.',
    text: ({ var: text }) =>
      `${definition(text)} cannot be read and is left out: write NAME=value without spaces around ` +
      '"=", and close every quote',
    examples: [
      {
        source: 'env: A = 1\n',
        messages: [
          'the definition of the variable "A" cannot be read and is left out: write NAME=value ' +
            'without spaces around "=", and close every quote',
        ],
      },
      { source: 'env: A=1 B="two words"\n', messages: [] },
    ],
  },
  {
    code: 'invalid_condition',
    levels: ['error'],
    meaning:
      'The text under `if` is not a valid condition. In a build it counts as false, so whatever ' +
      'depends on it never happens.',
    text: ({ condition }, { args }) => {
      // A redacted condition on a secret cannot be parsed.
      const problem = condition === args?.condition ? problemOf(String(condition)) : undefined
      const why = problem === undefined ? '' : ` (${plain(problem)})`
      return `the condition ${quote(condition)} cannot be read${why} and never holds: correct it`
    },
    examples: [
      {
        source: 'if: branch =\n',
        messages: [
          'the condition "branch =" cannot be read (a variable, a call or a value is missing at the ' +
            'end) and never holds: correct it',
        ],
      },
      {
        source: 'if: branch = $BRANCH\n',
        messages: [
          'the condition "branch = $BRANCH" cannot be read (unquoted words must not start with a ' +
            'dollar sign: write env(NAME), or put quotes around it) and never holds: correct it',
        ],
      },
    ],
  },
  {
    code: 'unknown_var',
    levels: ['warn'],
    meaning: 'No template variable has this name, so it is replaced by nothing.',
    text: ({ var: name }) =>
      `there is no template variable ${quote(name)}, so it is replaced by nothing: correct the name`,
    examples: [
      {
        source: 'notifications:\n  slack:\n    rooms: $ROOM\n    template: "%{author} %{foo}"\n',
        messages: [
          'there is no template variable "foo", so it is replaced by nothing: correct the name',
        ],
      },
    ],
  },
]

/** The error in a condition, and the expected text. */
function problemOf(condition: string): string | undefined {
  try {
    parseCondition(condition, 'v1')
    return undefined
  } catch (error) {
    if (error instanceof ConditionError) return error.message
    throw error
  }
}

/** A definition by its variable name only: the rest may be a secret. */
function definition(text: unknown): string {
  const name = /^[^\s="'`]+/.exec(String(text))?.[0]
  return name === undefined
    ? 'a definition of variables'
    : `the definition of the variable ${quote(name)}`
}
