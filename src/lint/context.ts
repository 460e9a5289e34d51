import type { MapNode } from '../buildfile/node.ts'

/** A build file as rules see it. */
export interface Context {
  /** The prepared text, which all places are in. */
  text: string
  root: MapNode
}
