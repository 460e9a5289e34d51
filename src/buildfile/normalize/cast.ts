import { candidatesFrom, findMeant } from '../misspellings/misspelling.ts'
import type { Kind } from '../schema/values/type.ts'
import type { BoolNode, Node } from '../tree/node.ts'

/** Casts a scalar to another kind if possible; reports no message. */
export function cast(node: Node, kind: Kind): Node {
  if (node.kind === kind) return node
  switch (kind) {
    case 'str':
      return castStr(node)
    case 'num':
      return castNum(node)
    case 'bool':
      return castBool(node) ?? node
    default:
      return node
  }
}

function castStr(node: Node): Node {
  if (node.kind !== 'num' && node.kind !== 'bool') return node
  const { start, end } = node
  return { kind: 'str', value: String(node.value), start, end }
}

function castNum(node: Node): Node {
  if (node.kind !== 'str' || !/^[\d.]+$/.test(node.value)) return node
  const { value, start, end } = node
  const number = value.includes('.') ? Number.parseFloat(value) : Number(value)
  return Number.isNaN(number) ? node : { kind: 'num', value: number, start, end }
}

const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'on', 'yes', 'enabled', 'required'].map((word) => [word, true] as const),
  ...['false', 'off', 'no', 'disabled', 'not required'].map((word) => [word, false] as const),
])

const candidates = candidatesFrom(words.keys())

export function castBool(node: Node): BoolNode | undefined {
  if (node.kind === 'bool') return node
  if (node.kind !== 'str') return undefined
  const { value: text, start, end } = node
  const value = wordIn(text) ?? words.get(lettersOf(text)) ?? words.get(nearest(text))
  return value === undefined ? undefined : { kind: 'bool', value, start, end }
}

/** A single matching line is enough. */
function wordIn(text: string): boolean | undefined {
  if (!text.includes('\n')) return words.get(text)
  const lines = text.split('\n').map((line) => words.get(line))
  return lines.includes(true) || (lines.includes(false) ? false : undefined)
}

const lettersOf = (text: string) => text.replaceAll(/\W/g, '')
const nearest = (text: string) => findMeant(text, candidates) ?? ''
