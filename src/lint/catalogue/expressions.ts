import { ConditionError } from '../../buildfile/conditions/condition.ts'
import { parseCondition } from '../../buildfile/conditions/parse.ts'
import { plain, quote } from '../quote.ts'
import type { Entry } from './entry.ts'

/** Texts with a grammar of their own: variables, conditions, templates. */
export const expressions: readonly Entry[] = [
  {
    code: 'invalid_env_var',
    levels: ['error'],
    meaning:
      'The text should define environment variables, as in `A=1 B="two words"`, but cannot be read ' +
      'so. All its definitions are lost.',
    text: ({ var: text }) =>
      `${definition(text)} cannot be read and is left out: write NAME=value without blanks around ` +
      '"=", and close every quote',
    examples: [
      {
        source: 'env: A = 1\n',
        messages: [
          'the definition of the variable "A" cannot be read and is left out: write NAME=value ' +
            'without blanks around "=", and close every quote',
        ],
      },
      { source: 'env: A=1 B="two words"\n', messages: [] },
    ],
  },
  {
    code: 'invalid_condition',
    levels: ['error'],
    meaning:
      'The text under `if` is not a condition. In a build it counts as false, so what it guards ' +
      'never happens.',
    text: ({ condition }, { args }) => {
      // What is shown of a condition on a secret cannot be read at all.
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
    meaning: 'There is no template variable of that name, so nothing is put in its place.',
    text: ({ var: name }) =>
      `there is no template variable ${quote(name)}, so nothing is put in its place: correct the name`,
    examples: [
      {
        source: 'notifications:\n  slack:\n    rooms: $ROOM\n    template: "%{author} %{foo}"\n',
        messages: [
          'there is no template variable "foo", so nothing is put in its place: correct the name',
        ],
      },
    ],
  },
]

/** What is wrong with a condition, and what is expected there. */
function problemOf(condition: string): string | undefined {
  try {
    parseCondition(condition, 'v1')
    return undefined
  } catch (error) {
    if (error instanceof ConditionError) return error.message
    throw error
  }
}

/** A definition by the name it begins with: what follows may be a secret. */
function definition(text: unknown): string {
  const name = /^[^\s="'`]+/.exec(String(text))?.[0]
  return name === undefined
    ? 'a definition of variables'
    : `the definition of the variable ${quote(name)}`
}
