import type { Node } from '../tree/node.ts'
import { type Composition, count, type Properties } from './composition.ts'
import { problem } from './problem.ts'

/** No file among two thousand real ones repeats more than 483 values. */
const mostRepeated = 25_000

/**
 * Records the anchor of the node that is read next, and the scalar before it, which is mostly its key: a
 * later pass treats keys of that name as the author's own.
 */
export function openAnchor(composition: Composition, properties: Properties | undefined): void {
  if (properties?.anchor === undefined) return
  composition.anchors.set(properties.anchor, { nodes: composition.nodes })
  if (composition.lastScalar !== undefined) composition.anchorNames.add(composition.lastScalar)
}

export function closeAnchor(
  composition: Composition,
  properties: Properties | undefined,
  node: Node,
): void {
  if (properties?.anchor === undefined) return
  const before = composition.anchors.get(properties.anchor)?.nodes ?? composition.nodes
  composition.anchors.set(properties.anchor, { node, nodes: composition.nodes - before })
}

/** The node that the alias at the cursor refers to; undefined for an unknown name. */
export function resolveAlias(composition: Composition): Node | undefined {
  const { source, start } = composition.tokens.current
  const anchored = composition.anchors.get(source.slice(1))
  if (!anchored) return undefined
  if (!anchored.node) {
    throw problem(
      start,
      `The alias "${source}" is inside the part that it repeats.`,
      'Move the alias out of that part, or remove it.',
    )
  }
  repeat(composition, anchored.nodes)
  return anchored.node
}

/** Counts the nodes that an alias repeats. */
function repeat(composition: Composition, nodes: number): void {
  count(composition, composition.tokens.current.start, nodes)
  composition.repeated += nodes
  if (composition.repeated <= mostRepeated) return
  throw problem(
    composition.tokens.current.start,
    `The aliases of this file repeat more than ${mostRepeated} values.`,
    'Use fewer aliases, or let them refer to smaller values.',
  )
}
