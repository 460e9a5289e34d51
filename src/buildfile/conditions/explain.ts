import type { Condition, Term } from './condition.ts'
import { type Constant, constantOf, constantTerms, impossibleMembers } from './constant.ts'
import type { ConditionData } from './data.ts'
import { evaluate, evaluateTerm, resultOf, combine } from './evaluate.ts'
import { operandsOf, termsOf, textIn } from './terms.ts'
import { valueOf } from './value.ts'

export interface ConditionExplanation {
  result: boolean
  terms: ExplainedTerm[]
}

export interface ExplainedTerm {
  text: string
  /** From 0 in the text of the condition. */
  offset: number
  /** The variables and calls of the term, as written, and their values. */
  saw: { text: string; value: unknown }[]
  result: boolean
  /** Why the term could not be evaluated, which counts as false. */
  error: string | null
}

/** How a condition got its result, term by term. */
export function explain(condition: Condition, data: ConditionData): ConditionExplanation {
  const terms = termsOf(condition.expression).map((term) => ({
    text: textIn(condition, term),
    offset: term.start,
    saw: operandsOf(term)
      .filter(({ kind }) => kind !== 'value')
      .map((operand) => ({ text: textIn(condition, operand), value: valueOf(operand, data) })),
    ...resultOf(() => evaluateTerm(term, data)),
  }))
  return { result: resultOf(() => evaluate(condition, data)).result, terms }
}

/**
 * The constant terms that may have made a condition false: the condition could hold without their
 * constant results, as after a typo in one part of an `or`. None where the other terms make it false.
 */
export function suspects(condition: Condition, data: ConditionData): Constant[] {
  const decide = (term: Term) => {
    const constant = constantOf(condition, term)
    if (constant && constant.reason !== 'literal') return undefined
    const { result } = resultOf(() => evaluateTerm(term, data))
    // The actual value may be the one meant by an impossible value in the list.
    const isListed = term.kind === 'in' && result === !term.negated
    return isListed || impossibleMembers(condition, term).length === 0 ? result : undefined
  }
  return combine(condition.expression, decide) === undefined ? constantTerms(condition) : []
}
