import type { Predicate, Term } from './condition.ts'
import { expected } from './expected.ts'
import { parseList, parseOperand } from './operand.ts'
import { parsePattern } from './pattern.ts'
import type { Scanner } from './scanner.ts'

/** Reads a comparison, or a single operand that is tested for truth. */
export function parseTerm(scanner: Scanner): Term {
  const start = scanner.at()
  const left = parseOperand(scanner)
  const here = () => ({ start, end: scanner.end() })

  const isIn = scanner.take(/(not )?in/iy)
  if (isIn) {
    const list = parseList(scanner)
    return { kind: 'in', left, list, negated: isIn[1] !== undefined, ...here() }
  }
  const is = scanner.take(/is( not)?/iy)
  // A final `is` has no meaning; the service we follow evaluates the operand alone.
  if (is && scanner.atEnd() && is[1] === undefined) return { kind: 'truth', left, ...here() }
  if (is) {
    const predicate = parsePredicate(scanner)
    return { kind: 'is', left, predicate, negated: is[1] !== undefined, ...here() }
  }
  const match = scanner.take(/=~|~=|(!~)/y)
  if (match) {
    const pattern = parsePattern(scanner)
    return { kind: 'match', left, pattern, negated: match[1] !== undefined, ...here() }
  }
  const equal = scanner.take(/==?|(!=)/y)
  if (equal) {
    const right = parseOperand(scanner)
    return { kind: 'equal', left, right, negated: equal[1] !== undefined, ...here() }
  }
  return { kind: 'truth', left, ...here() }
}

function parsePredicate(scanner: Scanner): Predicate['predicate'] {
  const found = scanner.take(/(present)|(blank)|(true)|false/iy)
  if (!found) throw expected(scanner, '"present", "blank", "true" or "false"')
  if (found[1]) return 'present'
  if (found[2]) return 'blank'
  return found[3] ? 'true' : 'false'
}
