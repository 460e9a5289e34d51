import type { Entry, Node } from '../tree/node.ts'

/**
 * How many nodes and characters of values all messages of a file can keep together: many messages may be
 * about the same value, through aliases or at each level of nesting, and all are stored.
 */
export interface Room {
  left: number
}

export const roomForValues = (): Room => ({ left: 1_000_000 })

/** Nodes and characters kept of a value when the room is used up. */
const least = 2000

/** The value that a message is about, cut if it no longer fits. */
export function shownValue({ room }: { room: Room }, node: Node): unknown {
  const most = Math.max(room.left, least)
  const own = { left: most }
  const shown = beginning(node, own)
  room.left -= most - own.left
  return shown
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
