import { reportMap, type Reporter, reportValue } from '../messages/report.ts'
import type { Location } from './location.ts'
import type { Entry, MapNode, Node, SecureNode } from './node.ts'

/** Reports keys that a map has more than once, in inner maps first. */
export function reportDuplicateKeys(node: Node, reporter: Reporter, location: Location = {}): void {
  switch (node.kind) {
    case 'seq':
      for (const item of node.items) reportDuplicateKeys(item, reporter, location)
      break
    case 'map':
      reportInMap(node, reporter, location)
      break
    case 'secure':
      reportInSecure(node, reporter, location)
  }
}

const duplicateKey = (key: string) =>
  ({ level: 'error', code: 'duplicate_key', args: { key } }) as const

function reportInMap({ entries }: MapNode, reporter: Reporter, location: Location): void {
  for (const entry of entries) {
    const { kind } = entry.value
    if (kind === 'map' || kind === 'seq' || kind === 'secure') {
      reportDuplicateKeys(entry.value, reporter, { above: location, entry })
    }
  }
  for (const { key, duplicate, src } of inWrittenOrder(entries)) {
    if (duplicate) reportMap(reporter, location, duplicateKey(key), { at: duplicate, src })
  }
}

/** In `entries`, a key that came by a `<<` is at the place of the `<<`, even if written again later. */
function inWrittenOrder(entries: readonly Entry[]): readonly Entry[] {
  if (!entries.some(({ rewritten }) => rewritten)) return entries
  return entries.toSorted((one, other) => startOf(one) - startOf(other))
}

const startOf = ({ at, rewritten }: Entry) => (rewritten ?? at).start

function reportInSecure(node: SecureNode, reporter: Reporter, location: Location): void {
  if (node.duplicate)
    reportValue(reporter, location, { ...node, ...node.duplicate }, duplicateKey('secure'))
}
