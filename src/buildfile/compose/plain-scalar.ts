import type { ScalarNode } from '../tree/node.ts'
import { readInteger } from './integer.ts'

/** The value of a scalar without quotes or tag (the text is folded already). */
export function plainScalar(text: string, start: number, end: number): ScalarNode {
  if (text === '') return { kind: 'none', start, end }
  const code = text.charCodeAt(0)
  if (code < 0x3b) return numberOrText(text, code, start, end)
  if (text.length > 5) return { kind: 'str', value: text, start, end }
  if (text === '~') return { kind: 'none', start, end }
  return word(text, start, end)
}

/** Reads a text of one to five characters. Case does not matter, except for `yes`, `no`, `on` and `off`. */
function word(text: string, start: number, end: number): ScalarNode {
  switch (text.toLowerCase()) {
    case 'null':
      return { kind: 'none', start, end }
    case 'true':
      return { kind: 'bool', value: true, start, end }
    case 'false':
      return { kind: 'bool', value: false, start, end }
    // In lower case these are texts; no one writes `YES` for a version or a branch.
    case 'yes':
    case 'on':
      if (text === 'yes' || text === 'on') break
      return { kind: 'bool', value: true, start, end }
    case 'no':
    case 'off':
      if (text === 'no' || text === 'off') break
      return { kind: 'bool', value: false, start, end }
  }
  return { kind: 'str', value: text, start, end }
}

const infinities: ReadonlyMap<string, number> = new Map([
  ['.inf', Infinity],
  ['+.inf', Infinity],
  ['-.inf', -Infinity],
])

function numberOrText(text: string, code: number, start: number, end: number): ScalarNode {
  // A fraction stays a text, so that versions keep their zeros: `3.10`.
  const digit = code >= 0x30 && code <= 0x39
  if (digit || code === 0x2b || code === 0x2d) {
    const value = readInteger(text)
    if (typeof value === 'number') return { kind: 'num', value, start, end }
    if (value !== undefined) return { kind: 'str', value, start, end }
  }
  if (code === 0x3a && text.length > 1) return { kind: 'str', value: text.slice(1), start, end }
  const infinity = text.length > 5 ? undefined : infinities.get(text.toLowerCase())
  if (infinity !== undefined) return { kind: 'num', value: infinity, start, end }
  return { kind: 'str', value: text, start, end }
}
