import type { LocalDatabase } from '../tables.ts'
import { isNoSha, noSha } from '../names.ts'

/** The last reported state of a ref: its sha, null if deleted, and how many changes were reported. */
export interface ReportedRef {
  sha: string | null
  changes: number
}

/** A change of a ref since it was reported. `before` is null for a new ref, `after` for a deleted one. */
export type Change = { ref: string; changes: number } & (
  | { before: string; after: string }
  | { before: null; after: string }
  | { before: string; after: null }
)

/** The changes since the last report: present refs in their order, then deleted ones. */
export function changesSince(
  reported: ReadonlyMap<string, ReportedRef>,
  present: ReadonlyMap<string, string>,
): Change[] {
  const moved = [...present].flatMap(([ref, after]): Change[] => {
    const { sha: before, changes } = reported.get(ref) ?? { sha: null, changes: 0 }
    return before === after ? [] : [{ ref, before, after, changes }]
  })
  const gone = [...reported].flatMap(([ref, { sha: before, changes }]): Change[] =>
    before === null || present.has(ref) ? [] : [{ ref, before, after: null, changes }],
  )
  return [...moved, ...gone]
}

export async function reportedRefs(
  db: LocalDatabase,
  repository_id: number,
): Promise<Map<string, ReportedRef>> {
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

/** Saves that a change was reported, and returns the new reported state of the ref. */
export async function saveReported(
  db: LocalDatabase,
  repository_id: number,
  { ref, before, after, changes }: Change,
): Promise<ReportedRef> {
  const reported = { sha: after ?? noSha(before), changes: changes + 1 }
  await db
    .insertInto('local_codehost.refs')
    .values({ repository_id, ref, ...reported })
    .onConflict((conflict) => conflict.columns(['repository_id', 'ref']).doUpdateSet(reported))
    .execute()
  return { sha: after, changes: reported.changes }
}

const rowsAtOnce = 1000

/** Saves refs as reported without delivering an event. */
export async function markReported(
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
