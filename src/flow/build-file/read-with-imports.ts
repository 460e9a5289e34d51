import { type ImportTarget, targetKey } from '../../buildfile/imports/reference.ts'
import { type Load, type Loaded, maximumSources, type Raw } from '../../buildfile/imports/source.ts'
import { type Done, ReadingLimit } from '../../reader/reader.ts'
import type { Turn } from '../../reader/turns.ts'
import type { Work } from '../../reader/work.ts'
import type { Context } from '../context.ts'

/**
 * Maximum characters of all files of a build together: each request stores the result, and lists show many
 * requests. The longest of 2,000 real build files has 120,000.
 */
const mostCharacters = 1_000_000

/** The texts of a build, with the results of loading imported files, by their keys. */
interface Known {
  own: Raw | null
  brought: readonly Raw[]
  loaded: ReadonlyMap<string, Loaded>
}

/** The imports that must be loaded first; the first of them is always needed. */
export interface Wanted {
  wanted: ImportTarget[]
}

/**
 * Reads texts in a thread, and again once missing imports are loaded here: the thread cannot load files, and
 * must not wait for the code host. All readings together have the time limit of one.
 */
export async function readWithImports<Input extends Known, Output extends object>(
  { reader }: Pick<Context, 'reader'>,
  work: Work<Input, Output | Wanted>,
  input: Omit<Input, 'loaded'>,
  { load, turn }: { load: Load; turn: Turn },
): Promise<Done<Output>> {
  const loaded = new Map<string, Loaded>()
  let spent = 0
  let characters = [input.own, ...input.brought].reduce(
    (sum, raw) => sum + (raw?.text.length ?? 0),
    0,
  )
  for (;;) {
    const done = await reader.run(work, { ...input, loaded } as unknown as Input, { turn, spent })
    spent += done.spent
    if (!('wanted' in done.result)) return { result: done.result, spent }
    // The first import is always needed; imports beyond the remaining number of sources need not be loaded.
    const room = Math.max(1, maximumSources - loaded.size)
    for (const wanted of done.result.wanted.slice(0, room)) {
      const found = await load(wanted)
      loaded.set(targetKey(wanted), found)
      if (found.kind === 'loaded') characters += found.text.length
    }
    if (characters > mostCharacters) {
      const message = `it and all that it imports have more than ${mostCharacters} characters`
      throw new ReadingLimit(message, spent)
    }
  }
}
