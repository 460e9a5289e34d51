import {
  readRegularExpression,
  RegularExpressionError,
} from '../../buildfile/regular-expression.ts'
import { branchEntriesOf } from '../context/branch-lists.ts'
import { quote } from '../quote.ts'
import type { Rule } from './rule.ts'

export const invalidPattern: Rule = {
  code: 'invalid_pattern',
  level: 'warn',
  summary: 'A regular expression under `branches` that cannot be read.',
  why:
    'An expression that cannot be read fits no branch. Under `only` nothing is built because of it, ' +
    'under `except` nothing is left out.',
  examples: [
    {
      source: 'branches:\n  only:\n    - /^release-(\\d+/\n',
      messages: [
        '"/^release-(\\d+/" fits no branch, since it cannot be used as a regular expression (this ' +
          'parenthesis is not closed): correct it',
      ],
    },
    { source: 'branches:\n  only:\n    - /^release-(\\d+)/\n', messages: [] },
    { source: 'branches:\n  only:\n    - release-(x\n', messages: [] },
  ],
  needs: ['branches'],

  *check({ config }) {
    for (const { text, path } of branchEntriesOf(config)) {
      const source = /^\/(.*)\/$/s.exec(text.trim())?.[1]
      const problem = source === undefined ? undefined : problemIn(source)
      if (problem === undefined) continue
      const message =
        `${quote(text)} fits no branch, since it cannot be used as a regular expression ` +
        `(${problem}): correct it`
      yield { message, path }
    }
  },
}

function problemIn(source: string): string | undefined {
  try {
    readRegularExpression(source)
    return undefined
  } catch (error) {
    if (!(error instanceof RegularExpressionError)) throw error
    return error.message
  }
}
