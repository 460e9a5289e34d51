import { type Node, nowhere } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import { tellKey, tellMap } from '../messages/report.ts'
import type { BoolType, Default, NumType, StrType } from '../value-types/type.ts'
import { isSupported } from './limits.ts'
import type { Validating } from './validating.ts'

/** Null under a type with defaults is the first of them that is supported. */
export function withDefault(
  node: Node,
  { defaults }: StrType | NumType | BoolType,
  spot: Spot,
  validating: Validating,
): Node {
  if (node.kind !== 'none' || !defaults || !validating.options.defaults) return node
  const value = defaults.find((each) => isSupported(each, spot))?.value
  if (value === undefined || value === null) return node
  tellDefault(value, spot, validating)
  return nodeOf(value)
}

/** Has the line of the key if that was given, else of its map. */
function tellDefault(value: Default['value'], spot: Spot, validating: Validating): void {
  const { above = {}, entry } = spot
  if (!entry) return
  const args = { key: entry.key, default: value }
  const told = { level: 'info', code: 'default', args } as const
  if (entry.line === undefined) tellMap(validating, above, told)
  else tellKey(validating, above, entry, told)
}

function nodeOf(value: string | number | boolean): Node {
  if (typeof value === 'string') return { kind: 'str', value, ...nowhere }
  if (typeof value === 'number') return { kind: 'num', value, ...nowhere }
  return { kind: 'bool', value, ...nowhere }
}
