import { batchesOf } from '../../domain/batches.ts'
import { type Answer, stream } from '../core/answer.ts'
import { resourceType } from './resource-type.ts'

/** Number of ids whose records are in memory at once. */
export const mostHeld = 100

/** The entries of a list for records that were read together. */
type Shown<R> = (records: R) => readonly object[]

/**
 * A JSON object of lists for more ids than are in memory at once: the records are read in batches, and
 * again for each list.
 */
export function streamLists<R>(
  ids: readonly number[],
  read: (batch: readonly number[]) => Promise<R>,
  lists: Readonly<Record<string, Shown<R>>>,
): Answer {
  const sorted = [...new Set(ids)].toSorted((a, b) => a - b)
  const batches = [...batchesOf(sorted, mostHeld)]
  return stream(written(batches, read, lists), resourceType)
}

async function* written<R>(
  batches: readonly (readonly number[])[],
  read: (batch: readonly number[]) => Promise<R>,
  lists: Readonly<Record<string, Shown<R>>>,
): AsyncGenerator<string> {
  let before = '{'
  for (const [name, shown] of Object.entries(lists)) {
    yield `${before}${JSON.stringify(name)}:[`
    let separator = ''
    for (const batch of batches) {
      const found = shown(await read(batch))
      if (found.length === 0) continue
      // Without the brackets around it.
      yield separator + JSON.stringify(found).slice(1, -1)
      separator = ','
    }
    before = '],'
  }
  yield ']}'
}
