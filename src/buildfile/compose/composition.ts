import type { Entry, Node, Span } from '../tree/node.ts'
import { problem } from './problem.ts'
import type { Tokens } from './token.ts'

/** The state of composing a build file. */
export interface Composition {
  tokens: Tokens
  anchors: Map<string, Anchored>
  anchorNames: Set<string>
  /** The entries of maps that became secure values, in case a `<<` refers to them. */
  secured: Map<Node, readonly Entry[]>
  /** The text of the scalar read last, keys included. */
  lastScalar: string | undefined
  /** The number of nodes so far; a node repeated by aliases counts each time. */
  nodes: number
  /** The maximum number of nodes. */
  mostNodes: number
  /** The number of nodes that aliases repeat. */
  repeated: number
  /** The number of open collections. */
  depth: number
}

export interface Anchored {
  /** Missing while the node is being read. */
  node?: Node
  /** How many nodes it is made of. */
  nodes: number
}

/** Properties before a node: `&name`, `!tag`. */
export interface Properties extends Span {
  line: number
  column: number
  first: boolean
  anchor?: string
  tag?: string
}

const mostLevels = 200

/** Called at the start of every collection, as `leave` is at its end; refuses excessive nesting. */
export function enter(composition: Composition, start: number): void {
  composition.depth += 1
  if (composition.depth <= mostLevels) return
  throw problem(
    start,
    `Maps and lists are nested in each other more than ${mostLevels} levels deep.`,
    'Write the file with fewer levels.',
  )
}

/** Counts nodes; throws if the file has too many. */
export function count(composition: Composition, at: number, nodes = 1): void {
  composition.nodes += nodes
  const { mostNodes } = composition
  if (composition.nodes <= mostNodes) return
  throw problem(
    at,
    `The file holds more than ${mostNodes} values, which is more than is checked here.`,
    'Check it on your own machine: build-service lint',
  )
}

export function leave(composition: Composition): void {
  composition.depth -= 1
}
