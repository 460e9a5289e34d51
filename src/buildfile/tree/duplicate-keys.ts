import type { MapNode, Node, SecureNode } from './node.ts'
import type { Location } from './location.ts'
import { reportMap, type Reporter, reportValue } from '../messages/report.ts'

/** Reports keys that a map has more than once, those of inner maps first. */
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
  for (const { key, duplicate, src } of entries) {
    if (duplicate) reportMap(reporter, location, duplicateKey(key), { at: duplicate, src })
  }
}

function reportInSecure(node: SecureNode, reporter: Reporter, location: Location): void {
  if (node.duplicate)
    reportValue(reporter, location, { ...node, ...node.duplicate }, duplicateKey('secure'))
}
