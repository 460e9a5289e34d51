import type { Needles } from './needles.ts'

/** A search through a stream, which comes in pieces. */
export interface Search {
  /** Takes the next bytes; the first of them is number `from` of the stream. */
  take(bytes: Uint8Array, from: number): void
  /** Up to which position a stream that ends at `end` can be output. */
  settled(end: number): number
}

/** Calls back with the positions in the stream where a needle begins and ends. */
export type OpenSearch = (needles: Needles, found: (from: number, to: number) => void) => Search
