import type { RegularExpression } from '../regular-expression.ts'

/** The parsed text of an `if`. Offsets count UTF-16 units from 0 in that text. */
export interface Condition {
  text: string
  expression: Expression
}

export type Expression = Combination | Negation | Term

export interface Combination {
  kind: 'and' | 'or'
  parts: Expression[]
}

export interface Negation {
  kind: 'not'
  of: Expression
}

/** A part that is evaluated on its own: the rest of a condition only combines terms. */
export type Term = Equality | MembershipTerm | Predicate | Match | Truth

interface Span {
  start: number
  end: number
}

export interface Equality extends Span {
  kind: 'equal'
  left: Operand
  right: Operand
  negated: boolean
}

export interface MembershipTerm extends Span {
  kind: 'in'
  left: Operand
  list: Operand[]
  negated: boolean
}

export interface Predicate extends Span {
  kind: 'is'
  left: Operand
  predicate: 'present' | 'blank' | 'true' | 'false'
  negated: boolean
}

export interface Match extends Span {
  kind: 'match'
  left: Operand
  /** Null if there is no pattern: then nothing matches. */
  pattern: RegularExpression | FunctionCall | null
  negated: boolean
}

export interface Truth extends Span {
  kind: 'truth'
  left: Operand
}

export type Operand = Variable | FunctionCall | Value

export interface Variable extends Span {
  kind: 'variable'
  name: VariableName
}

export interface FunctionCall extends Span {
  kind: 'call'
  name: 'env' | 'concat'
  args: Operand[]
}

export interface Value extends Span {
  kind: 'value'
  value: string
  quoted: boolean
}

export const variableNames = [
  'type',
  'repo',
  'head_repo',
  'os',
  'dist',
  'group',
  'sudo',
  'language',
  'sender',
  'fork',
  'draft',
  'branch',
  'head_branch',
  'tag',
  'commit_message',
] as const

export type VariableName = (typeof variableNames)[number]

/** A condition that cannot be read, or that cannot be evaluated with the pattern it builds. */
export class ConditionError extends Error {
  /** The reason for the message `invalid_condition`; null for plain syntax errors. */
  readonly reason: string | null
  /** From 0 in the text of the condition. */
  readonly offset: number

  /** `message` always names the problem and the correct form. */
  constructor(message: string, offset: number, reason: string | null = null) {
    super(message)
    this.name = 'ConditionError'
    this.offset = offset
    this.reason = reason
  }
}
