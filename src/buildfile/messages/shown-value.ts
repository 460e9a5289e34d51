import type { Entry, Node } from '../tree/node.ts'

/**
 * Nodes and characters of a value that a message keeps: many messages may be about the same value,
 * by aliases or from each level of a nested one, and all of them are stored.
 */
const most = 2000

/** The value that a message is about, or of a large one its beginning. */
export function shownValue(node: Node): unknown {
  return beginning(node, { left: most })
}

interface Room {
  left: number
}

function beginning(node: Node, room: Room): unknown {
  room.left -= 1
  switch (node.kind) {
    case 'none':
      return null
    case 'secure':
      return { secure: beginning(node.value, room) }
    case 'seq':
      return beginningOfSeq(node.items, room)
    case 'map':
      return Object.fromEntries(beginningOfMap(node.entries, room))
    case 'str':
      return beginningOfText(node.value, room)
    default:
      return node.value
  }
}

function beginningOfSeq(items: readonly Node[], room: Room): unknown[] {
  const shown: unknown[] = []
  for (const item of items) {
    if (room.left <= 0) break
    shown.push(beginning(item, room))
  }
  return shown
}

function beginningOfMap(entries: readonly Entry[], room: Room): [string, unknown][] {
  const shown: [string, unknown][] = []
  for (const { key, value } of entries) {
    if (room.left <= 0) break
    shown.push([beginningOfText(key, room), beginning(value, room)])
  }
  return shown
}

function beginningOfText(text: string, room: Room): string {
  const shown = text.slice(0, Math.max(room.left, 0))
  room.left -= shown.length
  return shown
}
