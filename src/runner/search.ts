import type { Needles } from './needles.ts'

/** A search through a stream, which comes in pieces. */
export interface Search {
  /** Takes the next bytes; the first of them is number `from` of the stream. */
  take(bytes: Uint8Array, from: number): void
  /** The end of what can be given out, of a stream that ends at `end`. */
  settled(end: number): number
}

/** Calls back with where in the stream a needle begins and ends. */
export type OpenSearch = (needles: Needles, found: (from: number, to: number) => void) => Search
