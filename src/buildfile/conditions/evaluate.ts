import type { RegularExpression } from '../regular-expression.ts'
import {
  type Condition,
  ConditionError,
  type Equality,
  type Expression,
  type Match,
  type MembershipTerm,
  type Predicate,
  type Term,
} from './condition.ts'
import type { ConditionData } from './data.ts'
import { parseCondition } from './parse.ts'
import { isFound, readMadePattern } from './pattern.ts'
import { textOf, valueOf } from './value.ts'

/** Whether the condition holds; throws a `ConditionError` if it builds an invalid pattern. */
export function evaluate({ expression }: Condition, data: ConditionData): boolean {
  return combine(expression, (term) => evaluateTerm(term, data))
}

/** Whether a text is a condition that holds: errors count as false, as they do in builds (CF-30). */
export function holds(text: string, data: ConditionData): boolean {
  return resultOf(() => evaluate(parseCondition(text), data)).result
}

/** The result of a decision; an error counts as false. */
export function resultOf(decide: () => boolean): { result: boolean; error: string | null } {
  try {
    return { result: decide(), error: null }
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    return { result: false, error: error.message }
  }
}

/** The result of an expression; undefined if it depends on undecided terms. */
export function combine<T extends boolean | undefined>(
  expression: Expression,
  decide: (term: Term) => T,
): boolean | T {
  if (expression.kind === 'not') {
    const result = combine(expression.of, decide)
    return typeof result === 'boolean' ? !result : result
  }
  if (!('parts' in expression)) return decide(expression)
  // One true part makes an `or` true, one false part makes an `and` false.
  const decisive = expression.kind === 'or'
  let all: boolean | T = !decisive
  for (const part of expression.parts) {
    const result = combine(part, decide)
    if (result === decisive) return decisive
    if (typeof result !== 'boolean') all = result
  }
  return all
}

export function evaluateTerm(term: Term, data: ConditionData): boolean {
  if (term.kind === 'truth') return isTrue(valueOf(term.left, data))
  return decided(term, data) !== term.negated
}

function decided(term: Exclude<Term, { kind: 'truth' }>, data: ConditionData): boolean {
  if (term.kind === 'equal') return isEqual(term, data)
  if (term.kind === 'in') return isIn(term, data)
  return term.kind === 'is' ? fits(term, data) : matches(term, data)
}

/** Only null and false are false; even 0 and the empty text are true. */
const isTrue = (value: unknown) => value !== null && value !== false

/** Compares without conversion: a number never equals a word. */
function isEqual({ left, right }: Equality, data: ConditionData): boolean {
  return valueOf(left, data) === valueOf(right, data)
}

function isIn({ left, list }: MembershipTerm, data: ConditionData): boolean {
  const value = valueOf(left, data)
  return list.some((operand) => valueOf(operand, data) === value)
}

function fits({ left, predicate }: Predicate, data: ConditionData): boolean {
  const value = valueOf(left, data)
  if (predicate === 'true') return isTrue(value)
  if (predicate === 'false') return !isTrue(value)
  return (predicate === 'present') === isPresent(value)
}

function isPresent(value: unknown): boolean {
  if (typeof value === 'string') return value !== ''
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return isTrue(value)
}

function matches({ left, pattern, start }: Match, data: ConditionData): boolean {
  const value = valueOf(left, data)
  const expression = expressionOf(pattern, data)
  if (value === null || expression === null) return false
  return isFound(expression, textOf(value), { start, effort: data.effort })
}

function expressionOf(pattern: Match['pattern'], data: ConditionData): RegularExpression | null {
  if (pattern === null || !('kind' in pattern)) return pattern
  const source = valueOf(pattern, data)
  return source === null ? null : readMadePattern(textOf(source), pattern)
}
