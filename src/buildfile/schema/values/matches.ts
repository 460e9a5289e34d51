import type { Node } from '../../tree/node.ts'
import { isCustom } from './accepted-keys.ts'
import type { MapType, StrType, Type } from './type.ts'

/** Whether a value has the form of a type; null has every form, and enum values are not checked. */
export function matches(node: Node, type: Type): boolean {
  if (node.kind === 'none') return true
  switch (type.kind) {
    case 'map':
      return node.kind === 'map' && node.entries.every(({ key, value }) => fits(type, key, value))
    case 'seq':
      return node.kind === 'seq' && node.items.every((item) => matches(item, type.of))
    case 'any':
      return type.of.some((form) => matches(node, form))
    case 'secure':
      return node.kind === 'secure' || node.kind === 'str'
    case 'str':
      return node.kind === 'str' && hasPattern(type, node.value)
    default:
      return node.kind === type.kind
  }
}

function fits(type: MapType, key: string, value: Node): boolean {
  const known = type.keys[key]
  if (known) return matches(value, known)
  return isCustom(key) || (!type.strict && isOther(type, key))
}

/** Whether a map that is not strict accepts an unknown key. */
function isOther(type: MapType, key: string): boolean {
  const { othersPattern } = type
  return othersPattern === undefined || patternFrom(othersPattern).test(key)
}

export function hasPattern({ pattern }: StrType, text: string): boolean {
  return pattern === undefined || patternFrom(pattern).test(text)
}

const patterns = new Map<string, RegExp>()

/** Cached; there are only a handful, all of them in the schema. */
function patternFrom(source: string): RegExp {
  const known = patterns.get(source)
  if (known) return known
  const pattern = new RegExp(source)
  patterns.set(source, pattern)
  return pattern
}
