import type { Condition, Expression, Term } from './condition.ts'
import { type Constant, constantOf } from './constant.ts'
import type { ConditionData } from './data.ts'
import { evaluateTerm, resultOf } from './evaluate.ts'

/**
 * The constant terms that a false condition may be false for: it could hold if they did not say what
 * they say, as after a typo in one part of an `or`. None where the other terms make it false.
 */
export function suspects(condition: Condition, data: ConditionData): Constant[] {
  const found: Constant[] = []
  const decide = (term: Term) => {
    const constant = constantOf(condition, term)
    if (constant === undefined || constant.reason === 'literal') {
      return resultOf(() => evaluateTerm(term, data)).result
    }
    found.push(constant)
    return undefined
  }
  return decided(condition.expression, decide) === undefined ? found : []
}

/** Undefined where the result depends on terms that are not decided. */
function decided(
  expression: Expression,
  decide: (term: Term) => boolean | undefined,
): boolean | undefined {
  if (expression.kind === 'not') {
    const result = decided(expression.of, decide)
    return result === undefined ? undefined : !result
  }
  if (!('parts' in expression)) return decide(expression)
  const results = expression.parts.map((part) => decided(part, decide))
  const decisive = expression.kind === 'or'
  if (results.includes(decisive)) return decisive
  return results.includes(undefined) ? undefined : !decisive
}
