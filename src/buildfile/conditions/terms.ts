import type { Condition, Expression, Operand, Term } from './condition.ts'

/** All terms of a condition, in written order. */
export function termsOf(expression: Expression): Term[] {
  if ('parts' in expression) return expression.parts.flatMap(termsOf)
  return expression.kind === 'not' ? termsOf(expression.of) : [expression]
}

/** The operands that a term compares. */
export function operandsOf(term: Term): Operand[] {
  if (term.kind === 'equal') return [term.left, term.right]
  if (term.kind === 'in') return [term.left, ...term.list]
  const { left } = term
  return term.kind === 'match' && term.pattern && 'kind' in term.pattern
    ? [left, term.pattern]
    : [left]
}

/** The source text of a term or an operand. */
export function textIn(
  { text }: Condition,
  { start, end }: { start: number; end: number },
): string {
  return text.slice(start, end)
}
