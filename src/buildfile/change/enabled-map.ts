import { isAccepted } from '../value-types/accepted-keys.ts'
import { type Entry, type Node, nowhere } from '../tree/node.ts'
import type { MapType } from '../value-types/type.ts'
import { castBool } from './cast.ts'

/** Turns `true` into `{enabled: true}`, and `{disabled: true}` into `{enabled: false}`. */
export function enabledMap(node: Node, type: MapType): Node {
  if (!isAccepted(type, 'enabled')) return node
  if (node.kind === 'map') return { ...node, entries: withoutDisabled(node.entries) }
  const switched = isSwitch(node) ? castBool(node) : undefined
  if (!switched) return node
  const { start, end } = node
  return { kind: 'map', entries: [{ key: 'enabled', value: switched, at: nowhere }], start, end }
}

function isSwitch(node: Node): boolean {
  return node.kind === 'bool' || (node.kind === 'str' && /^(?:yes|no)$/.test(node.value))
}

/** If both keys are there, `enabled` wins. */
function withoutDisabled(entries: Entry[]): Entry[] {
  const disabled = entries.find(({ key }) => key === 'disabled')
  if (!disabled) return entries
  const others = entries.filter((entry) => entry !== disabled)
  if (others.some(({ key }) => key === 'enabled')) return others
  const { value } = disabled
  const off = castBool(value)
  const enabled = off ? { ...off, value: !off.value } : value
  return [...others, { ...disabled, key: 'enabled', value: enabled }]
}
