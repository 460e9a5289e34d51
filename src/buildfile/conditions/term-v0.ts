import { type Operand, type Term, variableNames, type VariableName } from './condition.ts'
import { expected } from './expected.ts'
import { parseCall, parseList, parseValue } from './operand.ts'
import { parsePattern } from './pattern.ts'
import type { Scanner } from './scanner.ts'

const variable = new RegExp(`(?:${variableNames.join('|')})\\b`, 'y')

/** Reads a comparison of version 0: an attribute or `env(…)`, an operator, values. */
export function parseTermV0(scanner: Scanner): Term {
  const start = scanner.at()
  const left = parseLeft(scanner)
  const here = () => ({ start, end: scanner.end() })

  if (scanner.take(/(?:IN|in)\b/y)) {
    return { kind: 'in', left, list: parseList(scanner), negated: false, ...here() }
  }
  if (scanner.take(/(?:IS|is)\b/y)) {
    const found = scanner.take(/(present\b)|blank\b/iy)
    if (!found) throw expected(scanner, '"present" or "blank"')
    const predicate = found[1] ? 'present' : 'blank'
    return { kind: 'is', left, predicate, negated: false, ...here() }
  }
  const match = scanner.take(/=~|(!~)/y)
  if (match) {
    const pattern = parsePattern(scanner)
    return { kind: 'match', left, pattern, negated: match[1] !== undefined, ...here() }
  }
  const equal = scanner.take(/=|(!=)/y)
  if (!equal) throw expected(scanner, 'an operator, such as "=" or "IN",')
  const right = parseValue(scanner)
  if (!right) throw expected(scanner, 'a value')
  return { kind: 'equal', left, right, negated: equal[1] !== undefined, ...here() }
}

function parseLeft(scanner: Scanner): Operand {
  const name = scanner.take(variable)
  if (name) {
    return {
      kind: 'variable',
      name: name[0] as VariableName,
      start: name.index,
      end: scanner.end(),
    }
  }
  const call = scanner.sees(/env/iy) ? parseCall(scanner) : undefined
  if (call) return call
  throw expected(scanner, 'a variable or env(NAME)')
}
