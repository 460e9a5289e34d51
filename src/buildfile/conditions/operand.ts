import {
  type FunctionCall,
  ConditionError,
  type Operand,
  type Value,
  type VariableName,
  variableNames,
} from './condition.ts'
import { expected } from './expected.ts'
import type { Scanner } from './scanner.ts'

const variable = new RegExp(`(?:${variableNames.join('|')})(?=[\\s=,)|]|$)`, 'y')
const call = /(?:(env)|concat)\s*\(/iy
const string = /"([^"]*)"|'([^']*)'/y
const word = /[^\s()"',=!]+/y

/** Deeper calls are refused, so that no text can exhaust the stack. */
const maximumDepth = 100

/** Reads a variable, a call or a value; throws if none of them follows. */
export function parseOperand(scanner: Scanner, depth = 0): Operand {
  if (scanner.sees(/\$/y)) {
    const reason = 'unquoted words must not start with a dollar sign'
    throw new ConditionError(
      `${reason}: write env(NAME), or put quotes around it`,
      scanner.at(),
      reason,
    )
  }
  const name = scanner.take(variable)
  if (name) {
    return {
      kind: 'variable',
      name: name[0] as VariableName,
      start: name.index,
      end: scanner.end(),
    }
  }
  const operand = parseCall(scanner, depth) ?? parseValue(scanner)
  if (!operand && scanner.sees(/["']/y)) {
    throw new ConditionError('this quote is not closed', scanner.at())
  }
  if (!operand) throw expected(scanner, 'a variable, a call or a value')
  return operand
}

/** Reads `env(…)` or `concat(…)`; undefined if no call follows. */
export function parseCall(scanner: Scanner, depth = 0): FunctionCall | undefined {
  const start = scanner.at()
  const head = scanner.take(call)
  if (!head) return undefined
  if (depth === maximumDepth) {
    throw new ConditionError(`calls are nested more than ${maximumDepth} deep`, start)
  }
  const args = scanner.sees(/\)/y) ? [] : parseOperands(scanner, depth + 1)
  closeParenthesis(scanner)
  return { kind: 'call', name: head[1] ? 'env' : 'concat', args, start, end: scanner.end() }
}

/** Reads `(a, b)`: at least one operand; a comma after the last is allowed. */
export function parseList(scanner: Scanner): Operand[] {
  if (!scanner.take(/\(/y)) throw expected(scanner, 'a list in parentheses')
  const list = parseOperands(scanner, 0)
  closeParenthesis(scanner)
  return list
}

function parseOperands(scanner: Scanner, depth: number): Operand[] {
  const operands = [parseOperand(scanner, depth)]
  while (scanner.take(/,/y) && !scanner.sees(/\)/y)) operands.push(parseOperand(scanner, depth))
  return operands
}

function closeParenthesis(scanner: Scanner): void {
  if (!scanner.take(/\)/y)) throw expected(scanner, 'a comma or a closing parenthesis')
}

/** Reads a word, or a text in quotes. */
export function parseValue(scanner: Scanner): Value | undefined {
  const start = scanner.at()
  const quoted = scanner.take(string)
  if (quoted) {
    const value = quoted[1] ?? quoted[2] ?? ''
    return { kind: 'value', value, quoted: true, start, end: scanner.end() }
  }
  const unquoted = scanner.take(word)
  if (!unquoted) return undefined
  return { kind: 'value', value: unquoted[0], quoted: false, start, end: scanner.end() }
}
