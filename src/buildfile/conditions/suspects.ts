import type { Condition, Term } from './condition.ts'
import { type Constant, constantOf, constantTerms, impossibleMembers } from './constant.ts'
import type { ConditionData } from './data.ts'
import { combine, evaluateTerm, resultOf } from './evaluate.ts'

/**
 * The constant terms that a false condition may be false for: it could hold if they did not say what
 * they say, as after a typo in one part of an `or`. None where the other terms make it false.
 */
export function suspects(condition: Condition, data: ConditionData): Constant[] {
  const decide = (term: Term) => {
    const constant = constantOf(condition, term)
    if (constant && constant.reason !== 'literal') return undefined
    const { result } = resultOf(() => evaluateTerm(term, data))
    // What the variable has may be what was meant by a value that it never has.
    const isListed = term.kind === 'in' && result === !term.negated
    return isListed || impossibleMembers(condition, term).length === 0 ? result : undefined
  }
  return combine(condition.expression, decide) === undefined ? constantTerms(condition) : []
}
