import type { Call } from '../../core/endpoint.ts'
import type { View } from '../core/resource.ts'
import { settled } from './maybe-await.ts'

type Key = number | string

/** Values that one call has read, or is about to read. */
interface Reads<T, V> {
  values: Map<Key, Promise<V> | V>
  /** The items that the next read is for. */
  next: { items: T[]; values: Promise<readonly V[]> } | undefined
}

type Reading = Pick<Call, 'reads'>

/** Returns the values immediately, without a promise, if nothing needs to be read. */
type Load<T, V> = (view: View, items: readonly T[]) => Promise<V[]> | V[]

export interface Loader<T, V> extends Load<T, V> {
  /** Registers values that a call has read already, so that they are not read again. */
  know(call: Reading, items: readonly T[], values: readonly V[]): void
}

/**
 * Reads a value for each item, once per call, for all attributes and records that need it: items with
 * the same key are the same, and items requested at the same time are read together. `read` returns a
 * value for each item, in their order.
 */
export function loader<T, V>(
  keyOf: (item: T) => Key,
  read: (view: View, items: readonly T[]) => Promise<readonly V[]>,
): Loader<T, V> {
  const own = {}

  function readsIn(call: Reading): Reads<T, V> {
    const ofCall = (call.reads ??= new Map())
    const begun = ofCall.get(own) as Reads<T, V> | undefined
    if (begun) return begun
    const reads: Reads<T, V> = { values: new Map(), next: undefined }
    ofCall.set(own, reads)
    return reads
  }

  function valueOf(view: View, reads: Reads<T, V>, item: T): Promise<V> | V {
    const key = keyOf(item)
    if (reads.values.has(key)) return reads.values.get(key) as Promise<V> | V
    reads.next ??= openRead(view, reads)
    const index = reads.next.items.push(item) - 1
    const value = reads.next.values.then((values) => values[index] as V)
    reads.values.set(key, value)
    return value
  }

  function openRead(view: View, reads: Reads<T, V>) {
    const items: T[] = []
    const values = endOfTurn().then(() => {
      reads.next = undefined
      return read(view, items)
    })
    return { items, values }
  }

  const load: Load<T, V> = (view, items) => {
    const reads = readsIn(view.call)
    return settled(items.map((item) => valueOf(view, reads, item)))
  }
  return Object.assign(load, {
    know(call: Reading, items: readonly T[], values: readonly V[]) {
      const reads = readsIn(call)
      for (const [index, item] of items.entries()) {
        reads.values.set(keyOf(item), values[index] as V)
      }
    },
  })
}

/** Resolves when everything that can run without waiting for the database has run. */
async function endOfTurn(): Promise<void> {
  await Promise.resolve()
  await new Promise<void>((resolve) => process.nextTick(resolve))
}
