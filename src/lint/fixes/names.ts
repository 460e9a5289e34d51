import type { MapNode } from '../../buildfile/tree/node.ts'
import type { LintContext } from '../context/context.ts'
import { writtenNodes } from '../context/written.ts'

/** The names that keys are read as, by offset, if they differ from the written names. */
export function finalNames({ messages }: LintContext): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  for (const { code, at, args = {} } of messages) {
    const isRenamed = /^(?:alias|strip|underscore|clean|find)_key$/.test(code)
    // A misspelt alias is corrected twice: the message with its final name comes last.
    if (isRenamed && at && typeof args.key === 'string') names.set(at.start, args.key)
  }
  return names
}

/** The number of keys of each map that are read as each name. */
export function nameCounts(
  context: LintContext,
): ReadonlyMap<MapNode, ReadonlyMap<string, number>> {
  const names = context.once(finalNames)
  const maps = new Map<MapNode, Map<string, number>>()
  for (const { node } of context.once(writtenNodes)) {
    if (node.kind !== 'map') continue
    const counts = new Map<string, number>()
    for (const { at, key } of node.entries) {
      const name = names.get(at.start) ?? key
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    maps.set(node, counts)
  }
  return maps
}
