import type { Node } from '../tree/node.ts'
import { problem } from './problem.ts'
import type { Properties, Reading } from './reading.ts'

/** Of two thousand real files none repeats more than 483. */
const mostRepeated = 25_000

/**
 * Notes that the node about to be read has a name, and the text of the scalar before it, which is
 * mostly its key: a later pass takes keys of that name for the author's own.
 */
export function openAnchor(reading: Reading, properties: Properties | undefined): void {
  if (properties?.anchor === undefined) return
  reading.anchors.set(properties.anchor, { nodes: reading.nodes })
  if (reading.lastScalar !== undefined) reading.anchorNames.add(reading.lastScalar)
}

export function closeAnchor(
  reading: Reading,
  properties: Properties | undefined,
  node: Node,
): void {
  if (properties?.anchor === undefined) return
  const before = reading.anchors.get(properties.anchor)?.nodes ?? reading.nodes
  reading.anchors.set(properties.anchor, { node, nodes: reading.nodes - before })
}

/** The node that the alias at the cursor stands for; undefined where nothing has that name. */
export function resolveAlias(reading: Reading): Node | undefined {
  const { source, start } = reading.tokens.current
  const anchored = reading.anchors.get(source.slice(1))
  if (!anchored) return undefined
  if (!anchored.node) {
    throw problem(
      start,
      `The alias "${source}" stands within the very part that it repeats.`,
      'Move the alias out of that part, or remove it.',
    )
  }
  repeat(reading, anchored.nodes)
  return anchored.node
}

/** Counts nodes that stand in the file once, and are used once more. */
export function repeat(reading: Reading, nodes: number): void {
  reading.nodes += nodes
  reading.repeated += nodes
  if (reading.repeated <= mostRepeated) return
  throw problem(
    reading.tokens.current.start,
    `The aliases of this file repeat more than ${mostRepeated} values.`,
    'Use fewer aliases, or let each of them stand for less.',
  )
}
