import { composeText } from './compose/compose-text.ts'
import type { PreparedText } from './prepared-text.ts'
import type { Unreadable } from './read-build-file.ts'
import type { MapNode } from './tree/node.ts'

/** A file in the YAML of build files: its map, or why it cannot be read. */
export type ReadMap = { prepared: PreparedText } & (
  | { root: MapNode; error: null }
  | { root: null; error: Unreadable }
)

/** Reads a file that is written like a build file but is not one. Never throws. */
export function readMap(text: string): ReadMap {
  const composed = composeText(text)
  const { prepared } = composed
  if (!('error' in composed)) return { root: composed.root, prepared, error: null }
  const { line, column } = prepared.written(composed.error.at)
  return { root: null, prepared, error: { ...composed.error, line, column } }
}
