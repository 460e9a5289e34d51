import type { Condition, Expression, Term } from './condition.ts'
import { type Constant, constantOf, isConstant } from './constant.ts'
import { textIn } from './terms.ts'
import { valueOf } from './value.ts'

/** Why a condition is always true or always false; undefined if it depends on the build. */
export function alwaysSame(condition: Condition): Constant | undefined {
  return sameIn(condition, condition.expression)
}

function sameIn(condition: Condition, expression: Expression): Constant | undefined {
  if (expression.kind === 'not') {
    const same = sameIn(condition, expression.of)
    return same && { ...same, result: !same.result }
  }
  if (!('parts' in expression)) return constantOf(condition, expression)

  // One true part makes an `or` true, one false part makes an `and` false.
  const decisive = expression.kind === 'or'
  const parts = expression.parts.map((part) => sameIn(condition, part))
  const [first] = parts
  const deciding = parts.find((part) => part?.result === decisive)
  return deciding ?? (parts.includes(undefined) ? between(condition, expression) : first)
}

/** States that a variable or a call has one of some values, or none of them. */
interface Claim {
  about: string
  values: unknown[]
  negated: boolean
  term: Term
}

/** Limits the work: each claim is compared with all others. */
const maximumClaims = 50

/** Two parts of an `and` that cannot both be true, or of an `or` that cannot both be false. */
function between(
  condition: Condition,
  { kind, parts }: Extract<Expression, { parts: Expression[] }>,
): Constant | undefined {
  const claims = parts.flatMap((part) => claimOf(condition, part) ?? []).slice(0, maximumClaims)
  for (const claim of claims) {
    const other = claims.find((another) => exclude(claim, another, kind === 'or'))
    if (!other) continue
    const terms = [claim, other].map(({ term }) => ({
      text: textIn(condition, term),
      offset: term.start,
    }))
    return { result: kind === 'or', reason: 'between_terms', terms }
  }
  return undefined
}

function claimOf(condition: Condition, part: Expression): Claim | undefined {
  if (part.kind === 'not') {
    const claim = claimOf(condition, part.of)
    return claim && { ...claim, negated: !claim.negated }
  }
  if (part.kind !== 'equal' && part.kind !== 'in') return undefined
  const others = part.kind === 'in' ? part.list : [part.right]
  if (isConstant(part.left) || !others.every(isConstant)) return undefined
  return {
    about: textIn(condition, part.left),
    values: others.map((operand) => valueOf(operand, {})),
    negated: part.negated,
    term: part,
  }
}

/** Whether two claims, or with `opposite` their opposites, cannot both be true. */
function exclude(one: Claim, other: Claim, opposite: boolean): boolean {
  if (one.about !== other.about || one.negated !== opposite) return false
  const isShared = (value: unknown) => other.values.includes(value)
  return other.negated === opposite ? !one.values.some(isShared) : one.values.every(isShared)
}
