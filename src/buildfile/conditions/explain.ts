import type { Condition } from './condition.ts'
import type { ConditionData } from './data.ts'
import { evaluate, evaluateTerm, resultOf } from './evaluate.ts'
import { operandsOf, termsOf, textIn } from './terms.ts'
import { valueOf } from './value.ts'

export interface Explanation {
  result: boolean
  terms: ExplainedTerm[]
}

export interface ExplainedTerm {
  text: string
  /** From 0 in the text of the condition. */
  offset: number
  /** The variables and calls of the term, as written, and what they stood for. */
  saw: { text: string; value: unknown }[]
  result: boolean
  /** Why it could not be decided, which counts as false. */
  error: string | null
}

/** How a condition came to its result, term by term. */
export function explain(condition: Condition, data: ConditionData): Explanation {
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
