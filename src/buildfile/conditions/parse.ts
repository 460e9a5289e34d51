import { type Condition, ConditionError, type Expression, type Term } from './condition.ts'
import { expected } from './expected.ts'
import { type Scanner, scan } from './scanner.ts'
import { parseTermV0 } from './term-v0.ts'
import { parseTerm } from './term.ts'

/** The syntax of one version of the language; the patterns are sticky. */
interface Grammar {
  or: RegExp
  and: RegExp
  not: RegExp
  term: (scanner: Scanner) => Term
}

const grammars: Record<'v0' | 'v1', Grammar> = {
  // Keywords of v1 need no boundary after them: `nothing` is `not hing`.
  v1: { or: /or|\|\|/iy, and: /and|&&/iy, not: /not|!/iy, term: parseTerm },
  v0: { or: /(?:OR|or)\b/y, and: /(?:AND|and)\b/y, not: /(?:NOT|not)\b/y, term: parseTermV0 },
}

/** Deeper parentheses are refused, so that no text can exhaust the stack. */
const maximumDepth = 100

/** Reads a condition; throws a `ConditionError`. */
export function parseCondition(text: string, version: 'v1' | 'v0' = 'v1'): Condition {
  const scanner = scan(text)
  const expression = parseOr(scanner, grammars[version], 0)
  if (!scanner.atEnd()) throw expected(scanner, 'the end, or "and" or "or",')
  return { text, expression }
}

function parseOr(scanner: Scanner, grammar: Grammar, depth: number): Expression {
  const parts = [parseAnd(scanner, grammar, depth)]
  while (scanner.take(grammar.or)) parts.push(parseAnd(scanner, grammar, depth))
  return combined('or', parts)
}

function parseAnd(scanner: Scanner, grammar: Grammar, depth: number): Expression {
  const parts = [parseFactor(scanner, grammar, depth)]
  while (scanner.take(grammar.and)) parts.push(parseFactor(scanner, grammar, depth))
  return combined('and', parts)
}

function combined(kind: 'and' | 'or', parts: Expression[]): Expression {
  const [only] = parts
  return only && parts.length === 1 ? only : { kind, parts }
}

function parseFactor(scanner: Scanner, grammar: Grammar, depth: number): Expression {
  let negations = 0
  while (scanner.take(grammar.not)) negations += 1
  const factor = scanner.sees(/\(/y) ? parseGroup(scanner, grammar, depth) : grammar.term(scanner)
  return negations % 2 === 0 ? factor : { kind: 'not', of: factor }
}

function parseGroup(scanner: Scanner, grammar: Grammar, depth: number): Expression {
  const at = scanner.at()
  if (depth === maximumDepth) {
    throw new ConditionError(`parentheses are nested more than ${maximumDepth} deep`, at)
  }
  scanner.take(/\(/y)
  const inner = parseOr(scanner, grammar, depth + 1)
  if (!scanner.take(/\)/y))
    throw expected(scanner, `the parenthesis that closes the one at character ${at + 1}`)
  return inner
}
