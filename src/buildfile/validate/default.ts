import { type Node, nowhere } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import { reportKey, reportMap } from '../messages/report.ts'
import type { BoolType, Default, NumType, StrType } from '../value-types/type.ts'
import { isSupported } from './limits.ts'
import type { Validating } from './validating.ts'

/** Null under a type with defaults is the first of them that is supported. */
export function withDefault(
  node: Node,
  { defaults }: StrType | NumType | BoolType,
  location: Location,
  validating: Validating,
): Node {
  if (node.kind !== 'none' || !defaults || !validating.options.defaults) return node
  const value = defaults.find((each) => isSupported(each, location))?.value
  if (value === undefined || value === null) return node
  reportDefault(value, location, validating)
  return nodeOf(value)
}

/** Has the line of the key if it was written, else of its map. */
function reportDefault(value: Default['value'], location: Location, validating: Validating): void {
  const { above = {}, entry } = location
  if (!entry) return
  const args = { key: entry.key, default: value }
  const report = { level: 'info', code: 'default', args } as const
  if (entry.line === undefined) reportMap(validating, above, report)
  else reportKey(validating, above, entry, report)
}

function nodeOf(value: string | number | boolean): Node {
  if (typeof value === 'string') return { kind: 'str', value, ...nowhere }
  if (typeof value === 'number') return { kind: 'num', value, ...nowhere }
  return { kind: 'bool', value, ...nowhere }
}
