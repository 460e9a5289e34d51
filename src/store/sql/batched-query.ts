import type { Database } from '../tables.ts'
import { batched } from './batch.ts'

/** Limits of each kind of read; the pool has further connections for other work. */
const limits = { most: 64, atOnce: 2 }

/** The rows of a read of several items, in the order of the items, by their positions from 1. */
export function inPlaces<R extends { position: number }>(
  rows: readonly R[],
  items: readonly unknown[],
): (R | undefined)[] {
  const found = new Map(rows.map((row) => [row.position, row]))
  return items.map((_item, index) => found.get(index + 1))
}

/**
 * A read of one item that shares its statement with reads of other calls: items requested while the
 * database is busy with such reads are read next, all together. So nothing is read before it is
 * requested. `read` returns a value for each item, in their order. An item that the database refuses
 * would fail the others as well, so only our own numbers and digests are read like this.
 */
export function together<I, R>(
  read: (db: Database, items: readonly I[]) => Promise<R[]>,
): (db: Database, item: I) => Promise<R> {
  const reads = new WeakMap<Database, (item: I) => Promise<R>>()
  return (db, item) => {
    const known = reads.get(db) ?? batched((items: I[]) => read(db, items), limits)
    reads.set(db, known)
    return known(item)
  }
}
