import type { Expression, Term } from '../../buildfile/conditions/condition.ts'
import { evaluateTerm, resultOf } from '../../buildfile/conditions/evaluate.ts'
import { textIn } from '../../buildfile/conditions/terms.ts'
import { readConditions } from '../context/read-conditions.ts'
import { quote } from '../quote.ts'
import type { Rule } from './rule.ts'

export const tagWithBranch: Rule = {
  code: 'tag_with_branch',
  level: 'warn',
  summary: 'A condition that asks for a tag and for the name of a branch at once.',
  why:
    'In the build of a tag `branch` is the name of the tag, since a tag does not say which branch it ' +
    'is on. So `tag IS present AND branch = main` holds only for a tag that is called `main`. Ask for ' +
    'the tag alone; whether its commit is on a branch can be asked of git, in `script`.',
  examples: [
    {
      source: 'if: tag IS present AND branch = main\n',
      messages: [
        'where "tag IS present" holds, the branch has the name of the tag, so "branch = main" does not ' +
          'hold: remove one of the two',
      ],
    },
    {
      source: 'if: branch IN (main, develop) AND tag =~ ^v\n',
      messages: [
        'where "tag =~ ^v" holds, the branch has the name of the tag, so "branch IN (main, develop)" ' +
          'does not hold: remove one of the two',
      ],
    },
    { source: 'if: tag IS present OR branch = main\n', messages: [] },
    { source: 'if: tag IS present AND branch = v1.0\n', messages: [] },
    { source: 'if: tag IS blank AND branch = main\n', messages: [] },
  ],

  *check({ once }) {
    for (const { condition, path } of once(readConditions)) {
      for (const terms of conjunctionsOf(condition.expression)) {
        const tag = terms.find(asksForTag)
        const branch = tag && terms.find(namesBranch)
        if (!branch) continue
        const message =
          `where ${quote(textIn(condition, tag))} holds, the branch has the name of the tag, so ` +
          `${quote(textIn(condition, branch))} does not hold: remove one of the two`
        yield { message, path }
      }
    }
  },
}

/** The terms of each `and`, those of its parts aside. */
function conjunctionsOf(expression: Expression): Term[][] {
  if (expression.kind === 'not') return conjunctionsOf(expression.of)
  if (!('parts' in expression)) return []
  const below = expression.parts.flatMap(conjunctionsOf)
  if (expression.kind === 'or') return below
  return [expression.parts.filter(isTerm), ...below]
}

function isTerm(expression: Expression): expression is Term {
  return expression.kind !== 'not' && !('parts' in expression)
}

/** Whether a term is false without a tag. */
function asksForTag(term: Term): boolean {
  if (!isAbout(term, 'tag')) return false
  const { result, error } = resultOf(() => evaluateTerm(term, {}))
  return error === null && !result
}

/** Whether a term gives the names of branches: tags have numbers as a rule. */
function namesBranch(term: Term): boolean {
  if ((term.kind !== 'equal' && term.kind !== 'in') || term.negated) return false
  const others = term.kind === 'in' ? term.list : [term.right]
  return (
    isAbout(term, 'branch') && others.every((one) => one.kind === 'value' && !/\d/.test(one.value))
  )
}

function isAbout({ left }: Term, name: 'branch' | 'tag'): boolean {
  return left.kind === 'variable' && left.name === name
}
