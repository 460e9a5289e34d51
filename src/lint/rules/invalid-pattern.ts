import {
  readRegularExpression,
  RegularExpressionError,
} from '../../buildfile/regular-expression.ts'
import { branchEntriesOf } from '../context/branch-lists.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const invalidPattern: LintRule = {
  code: 'invalid_pattern',
  level: 'warn',
  summary: 'A regular expression under `branches` that cannot be read.',
  why:
    'An invalid expression matches no branch. Under `only` it builds nothing, under `except` it excludes ' +
    'nothing.',
  examples: [
    {
      source: 'branches:\n  only:\n    - /^release-(\\d+/\n',
      messages: [
        '"/^release-(\\d+/" matches no branch, because it is not a valid regular expression (this ' +
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
        `${quote(text)} matches no branch, because it is not a valid regular expression ` +
        `(${problem}): correct it`
      yield { message, path }
    }
  },
}

/** Expressions without brackets, as most are: they are valid. */
const plain = /^\^?(?:(?:[\w./-]|\\[.d/-])[+*?]?){0,200}\$?$/

function problemIn(source: string): string | undefined {
  if (plain.test(source)) return undefined
  try {
    readRegularExpression(source)
    return undefined
  } catch (error) {
    if (!(error instanceof RegularExpressionError)) throw error
    return error.message
  }
}
