import { batchesOf } from '../../domain/batches.ts'
import { type Answer, stream } from '../answer.ts'
import { resourceType } from './resource-type.ts'

/** Of so many ids the records are held at once. */
export const mostHeld = 100

/** What a list shows of records that were read together; nothing of what has been shown before. */
type Shown<R> = (records: R) => readonly { id: number }[]

/**
 * An object of lists in JSON, of more ids than are held at once: the records are read in batches, anew for
 * each list.
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
    const seen = new Set<number>()
    for (const batch of batches) {
      const fresh = shown(await read(batch)).filter(({ id }) => !seen.has(id))
      if (fresh.length === 0) continue
      // Without the brackets around it.
      yield (seen.size > 0 ? ',' : '') + JSON.stringify(fresh).slice(1, -1)
      for (const { id } of fresh) seen.add(id)
    }
    before = '],'
  }
  yield ']}'
}
