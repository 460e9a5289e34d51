import type { LocalDatabase } from './tables.ts'
import { isNoSha, noSha } from './names.ts'

/** What was told of a ref: where it was, null for gone, and how often it was told of. */
export interface ToldRef {
  sha: string | null
  changes: number
}

/** A ref that is elsewhere than was told. `before` is null for a new one, `after` for one gone. */
export type Change = { ref: string; changes: number } & (
  | { before: string; after: string }
  | { before: null; after: string }
  | { before: string; after: null }
)

/** What changed since it was told: what is there in its order, then what is gone. */
export function changesSince(
  told: ReadonlyMap<string, ToldRef>,
  present: ReadonlyMap<string, string>,
): Change[] {
  const moved = [...present].flatMap(([ref, after]): Change[] => {
    const { sha: before, changes } = told.get(ref) ?? { sha: null, changes: 0 }
    return before === after ? [] : [{ ref, before, after, changes }]
  })
  const gone = [...told].flatMap(([ref, { sha: before, changes }]): Change[] =>
    before === null || present.has(ref) ? [] : [{ ref, before, after: null, changes }],
  )
  return [...moved, ...gone]
}

export async function toldRefs(
  db: LocalDatabase,
  repository_id: number,
): Promise<Map<string, ToldRef>> {
  const rows = await db
    .selectFrom('local_codehost.refs')
    .select(['ref', 'sha', 'changes'])
    .where('repository_id', '=', repository_id)
    .orderBy('ref')
    .execute()
  return new Map(
    rows.map(({ ref, sha, changes }) => [ref, { sha: isNoSha(sha) ? null : sha, changes }]),
  )
}

/** Remembers that a change was told, and answers what is told of the ref from now on. */
export async function rememberTold(
  db: LocalDatabase,
  repository_id: number,
  { ref, before, after, changes }: Change,
): Promise<ToldRef> {
  const told = { sha: after ?? noSha(before), changes: changes + 1 }
  await db
    .insertInto('local_codehost.refs')
    .values({ repository_id, ref, ...told })
    .onConflict((conflict) => conflict.columns(['repository_id', 'ref']).doUpdateSet(told))
    .execute()
  return { sha: after, changes: told.changes }
}

const rowsAtOnce = 1000

/** Takes refs as told that nobody was told of. */
export async function passOver(
  db: LocalDatabase,
  repository_id: number,
  refs: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = [...refs].map(([ref, sha]) => ({ repository_id, ref, sha }))
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await db
      .insertInto('local_codehost.refs')
      .values(rows.slice(at, at + rowsAtOnce))
      .execute()
  }
}
