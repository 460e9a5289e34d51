import {
  type Condition,
  type Operand,
  type Term,
  type VariableName,
  variableNames,
} from './condition.ts'
import { evaluateTerm, resultOf } from './evaluate.ts'
import { operandsOf, termsOf, textIn } from './terms.ts'
import { valueOf } from './value.ts'

/** Why a term or condition has the same result for every build. */
export type ConstantReason =
  /** It is a literal: `false`. */
  | 'literal'
  /** Only words are compared with each other. */
  | 'words_alone'
  /** As `words_alone`, because the variable is followed by no separator: `branch!=main`. */
  | 'variable_as_word'
  /** As `words_alone`, because the variable is not in lower case: `BRANCH = main`. */
  | 'variable_in_capitals'
  /** No pattern follows `=~`. */
  | 'no_pattern'
  /** The variable never has the value: `type = release`. */
  | 'impossible_value'
  /** The variable never has one value of a list: `type IN (push, release)`. */
  | 'impossible_member'
  /** Several terms contradict or complete each other: `type != push or type != cron`. */
  | 'between_terms'

/** A constant result, its reason, and the terms that cause it. */
export interface Constant {
  result: boolean
  reason: ConstantReason
  terms: { text: string; offset: number }[]
}

/** The terms, and values of lists, with the same result for every build, except for literals. */
export function constantTerms(condition: Condition): Constant[] {
  return termsOf(condition.expression)
    .flatMap((term) => constantOf(condition, term) ?? impossibleMembers(condition, term))
    .filter(({ reason }) => reason !== 'literal')
}

/** The values in a term's list that its variable never has. */
export function impossibleMembers(condition: Condition, term: Term): Constant[] {
  if (term.kind !== 'in') return []
  return term.list
    .filter((operand) => isNever(term.left, operand))
    .map((operand) => ({
      result: false,
      reason: 'impossible_member',
      terms: [{ text: textIn(condition, operand), offset: operand.start }],
    }))
}

/** Why a term is always true or always false; undefined if it depends on the build. */
export function constantOf(condition: Condition, term: Term): Constant | undefined {
  const terms = [{ text: textIn(condition, term), offset: term.start }]
  if (term.kind === 'match' && term.pattern === null) {
    return { result: term.negated, reason: 'no_pattern', terms }
  }
  if (isImpossible(term)) return { result: term.negated, reason: 'impossible_value', terms }
  if (!operandsOf(term).every(isConstant)) return undefined
  const { result, error } = resultOf(() => evaluateTerm(term, {}))
  return error === null ? { result, reason: reasonFor(term), terms } : undefined
}

/** Tests for the possible values of variables, if the variable has a value at all. */
const possible: { readonly [name in VariableName]?: (value: unknown) => boolean } = {
  type: (value) => ['push', 'pull_request', 'api', 'cron'].includes(value as string),
  repo: (value) => typeof value === 'string' && /^[^/]+\/[^/]+$/.test(value),
  fork: (value) => typeof value === 'boolean',
  draft: (value) => typeof value === 'boolean',
  branch: isRefName,
  head_branch: isRefName,
  // A tag called `true` is far less likely than a question whether there is a tag.
  tag: (value) => typeof value !== 'boolean' && isRefName(value),
}

/** Git allows no white space and no pattern characters in names of branches and tags. */
function isRefName(value: unknown): boolean {
  return typeof value !== 'string' || !/[\s~^:?*[\\]/.test(value)
}

function isImpossible(term: Term): term is Extract<Term, { kind: 'equal' | 'in' }> {
  if (term.kind === 'in') return term.list.every((operand) => isNever(term.left, operand))
  if (term.kind !== 'equal') return false
  return isNever(term.left, term.right) || isNever(term.right, term.left)
}

function isNever(variable: Operand, other: Operand): boolean {
  if (variable.kind !== 'variable' || other.kind === 'call') return false
  // Other variables have the name of a build type only by chance.
  if (other.kind === 'variable') return variable.name === 'type' && other.name !== 'type'
  const isPossible = possible[variable.name]
  return isPossible !== undefined && !isPossible(valueOf(other, {}))
}

export function isConstant(operand: Operand): boolean {
  if (operand.kind === 'value') return true
  return operand.kind === 'call' && operand.name === 'concat' && operand.args.every(isConstant)
}

function reasonFor(term: Term): ConstantReason {
  const words = operandsOf(term).flatMap((operand) =>
    operand.kind === 'value' && !operand.quoted ? [operand.value] : [],
  )
  const names: readonly string[] = variableNames
  // In `branch~=x` the `~` is part of the word.
  if (words.some((word) => names.includes(word.replace(/\W+$/, '')))) return 'variable_as_word'
  if (words.some((word) => names.includes(word.toLowerCase()))) return 'variable_in_capitals'
  return term.kind === 'truth' && typeof valueOf(term.left, {}) === 'boolean'
    ? 'literal'
    : 'words_alone'
}
