import type { Expression, Term } from '../../buildfile/conditions/condition.ts'
import { evaluateTerm, resultOf } from '../../buildfile/conditions/evaluate.ts'
import { textIn } from '../../buildfile/conditions/terms.ts'
import { readConditions } from '../context/read-conditions.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const tagWithBranch: LintRule = {
  code: 'tag_with_branch',
  level: 'warn',
  summary: 'A condition that asks for a tag and for the name of a branch at once.',
  why:
    'In the build of a tag `branch` is the name of the tag, because a tag does not say which branch it ' +
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
    { source: 'if: NOT (tag IS present AND branch = main)\n', messages: [] },
    { source: 'if: branch = stable AND tag =~ ^stable\n', messages: [] },
    { source: 'if: branch = main AND tag = ""\n', messages: [] },
    { source: 'if: branch = main AND tag =~ ^$\n', messages: [] },
    { source: 'if: branch = main AND tag = false\n', messages: [] },
  ],

  *check({ once }) {
    for (const { condition, path } of once(readConditions)) {
      for (const terms of conjunctionsOf(condition.expression)) {
        const branch = terms.find(namesBranches)
        const tag = branch && terms.find((term) => asksForTag(term, namesIn(branch)))
        if (!tag) continue
        const message =
          `where ${quote(textIn(condition, tag))} holds, the branch has the name of the tag, so ` +
          `${quote(textIn(condition, branch))} does not hold: remove one of the two`
        yield { message, path }
      }
    }
  },
}

/** The terms of each `and`, separately for each nested `and`, without negated terms. */
function conjunctionsOf(expression: Expression): Term[][] {
  if (!('parts' in expression)) return []
  const below = expression.parts.flatMap(conjunctionsOf)
  return expression.kind === 'or' ? below : [expression.parts.filter(isTerm), ...below]
}

function isTerm(expression: Expression): expression is Term {
  return expression.kind !== 'not' && !('parts' in expression)
}

/** Whether a term requires a tag, and none with the name of one of these branches, as far as is known. */
function asksForTag(term: Term, branches: readonly string[]): boolean {
  if (!isAbout(term, 'tag')) return false
  if (term.kind === 'is') return term.predicate === (term.negated ? 'blank' : 'present')
  if (term.kind === 'truth' || term.negated) return false
  // A comparison without a tag name never holds: that is another mistake.
  if (term.kind !== 'match' && !namesOf(term).every((name) => isName(name))) return false
  return [null, '', ...branches].every((tag) => {
    const { result, error } = resultOf(() => evaluateTerm(term, { tag }))
    return error === null && !result
  })
}

type Naming = Extract<Term, { kind: 'equal' | 'in' }>

/** Whether a term contains names of branches, without digits: names with digits are usually tags. */
function namesBranches(term: Term): term is Naming {
  if ((term.kind !== 'equal' && term.kind !== 'in') || term.negated) return false
  return isAbout(term, 'branch') && namesOf(term).every((name) => isName(name) && !/\d/.test(name))
}

function namesIn(term: Naming): string[] {
  return namesOf(term).filter(isName)
}

/** The values that a variable is compared with; undefined for each that is not a plain value. */
function namesOf(term: Naming): (string | undefined)[] {
  const others = term.kind === 'in' ? term.list : [term.right]
  return others.map((one) => (one.kind === 'value' ? one.value : undefined))
}

function isName(name: string | undefined): name is string {
  return name !== undefined && !/^(?:|null|true|false)$/i.test(name)
}

function isAbout({ left }: Term, name: 'branch' | 'tag'): boolean {
  return left.kind === 'variable' && left.name === name
}
