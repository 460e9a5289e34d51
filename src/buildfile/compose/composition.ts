import type { Entry, Node, Span } from '../tree/node.ts'
import { problem } from './problem.ts'
import type { Tokens } from './token.ts'

/** The state of composing a build file. */
export interface Composition {
  tokens: Tokens
  anchors: Map<string, Anchored>
  anchorNames: Set<string>
  /** What maps are made of that became secure values, should a `<<` refer to one. */
  secured: Map<Node, readonly Entry[]>
  /** The text of the scalar read last, keys included. */
  lastScalar: string | undefined
  /** How many nodes there are so far, those that aliases repeat counted each time. */
  nodes: number
  /** How many there may be. */
  mostNodes: number
  /** How many of them are repeated. */
  repeated: number
  /** How many collections are open. */
  depth: number
}

export interface Anchored {
  /** Missing while the node is being read. */
  node?: Node
  /** How many nodes it is made of. */
  nodes: number
}

/** What may stand before a node: `&name`, `!tag`. */
export interface Properties extends Span {
  line: number
  column: number
  first: boolean
  anchor?: string
  tag?: string
}

const mostLevels = 200

/** Every collection is entered and left; what is nested deeper than anyone reads is refused. */
export function enter(composition: Composition, start: number): void {
  composition.depth += 1
  if (composition.depth <= mostLevels) return
  throw problem(
    start,
    `Maps and lists are nested in each other more than ${mostLevels} levels deep.`,
    'Write the file with fewer levels.',
  )
}

/** Every node is counted. */
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
