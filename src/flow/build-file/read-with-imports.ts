import { type ImportTarget, targetKey } from '../../buildfile/imports/reference.ts'
import { type Load, type Loaded, maximumSources } from '../../buildfile/imports/source.ts'
import type { Done } from '../../reader/reader.ts'
import type { Turn } from '../../reader/turns.ts'
import type { Work } from '../../reader/work.ts'
import type { Context } from '../context.ts'

/** What is known of the files that are imported, by their keys. */
interface Known {
  loaded: ReadonlyMap<string, Loaded>
}

/** The imports that have to be loaded first: the first of them is needed in any case. */
export interface Wanted {
  wanted: ImportTarget[]
}

/**
 * A thread reads, again with the imports that were missing: it cannot load any, and must not wait for
 * the code host. All of its readings together have the time of one.
 */
export async function readWithImports<Input extends Known, Output extends object>(
  { reader }: Pick<Context, 'reader'>,
  work: Work<Input, Output | Wanted>,
  input: Omit<Input, 'loaded'>,
  { load, turn }: { load: Load; turn: Turn },
): Promise<Done<Output>> {
  const loaded = new Map<string, Loaded>()
  let spent = 0
  for (;;) {
    const done = await reader.run(work, { ...input, loaded } as unknown as Input, { turn, spent })
    spent += done.spent
    if (!('wanted' in done.result)) return { result: done.result, spent }
    // The first is needed; what those that it imports leave no room for need not be loaded.
    const room = Math.max(1, maximumSources - loaded.size)
    for (const wanted of done.result.wanted.slice(0, room)) {
      loaded.set(targetKey(wanted), await load(wanted))
    }
  }
}
