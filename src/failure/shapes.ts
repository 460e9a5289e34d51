import { lineShape, shapeHash } from './line-shape.ts'
import type { OutputLine } from './read-log.ts'

/** The shapes of a log's lines, by their hashes, with the number of times that each occurs. */
export type Shapes = ReadonlyMap<number, number>

/** Shapes that are kept of one log. */
export const mostShapes = 100_000

const mostCounted = 0xff_ff

export function hashOfLine(text: string): number {
  return shapeHash(lineShape(text))
}

export function shapesOf(lines: readonly OutputLine[]): Shapes {
  const shapes = new Map<number, number>()
  for (const { text } of lines) {
    const hash = hashOfLine(text)
    const count = shapes.get(hash)
    if (count !== undefined) shapes.set(hash, Math.min(count + 1, mostCounted))
    else if (shapes.size < mostShapes) shapes.set(hash, 1)
  }
  return shapes
}

/** Six bytes of hash and two of count for each shape. */
const entryBytes = 8
const hashBytes = 6

export function packShapes(shapes: Shapes): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(shapes.size * entryBytes)
  const view = new DataView(packed.buffer)
  let at = 0
  for (const [hash, count] of shapes) {
    view.setUint32(at, hash % 2 ** 32)
    view.setUint16(at + 4, Math.floor(hash / 2 ** 32))
    view.setUint16(at + hashBytes, count)
    at += entryBytes
  }
  return packed
}

export function unpackShapes(packed: Uint8Array): Shapes {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const shapes = new Map<number, number>()
  for (let at = 0; at + entryBytes <= packed.byteLength; at += entryBytes) {
    const hash = view.getUint32(at) + view.getUint16(at + 4) * 2 ** 32
    shapes.set(hash, view.getUint16(at + hashBytes))
  }
  return shapes
}
