import type { Condition, Expression, Operand, Term } from './condition.ts'

/** All terms of a condition, as they are written one after the other. */
export function termsOf(expression: Expression): Term[] {
  if ('parts' in expression) return expression.parts.flatMap(termsOf)
  return expression.kind === 'not' ? termsOf(expression.of) : [expression]
}

/** What a term compares. */
export function operandsOf(term: Term): Operand[] {
  if (term.kind === 'equal') return [term.left, term.right]
  if (term.kind === 'in') return [term.left, ...term.list]
  const { left } = term
  return term.kind === 'match' && term.pattern && 'kind' in term.pattern
    ? [left, term.pattern]
    : [left]
}

/** A term or an operand as it is written. */
export function textIn(
  { text }: Condition,
  { start, end }: { start: number; end: number },
): string {
  return text.slice(start, end)
}
