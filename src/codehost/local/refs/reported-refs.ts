import { isNoSha, noSha } from '../names.ts'
import type { LocalDatabase } from '../tables.ts'

/** The last reported state of a ref: its sha, null if deleted, and how many changes were reported. */
export interface ReportedRef {
  sha: string | null
  changes: number
}

/** A change of a ref since it was reported. `before` is null for a new ref, `after` for a deleted one. */
export type RefChange = { ref: string; changes: number } & (
  | { before: string; after: string }
  | { before: null; after: string }
  | { before: string; after: null }
)

/** The changes since the last report: existing refs in order, then deleted refs. */
export function changesSince(
  reported: ReadonlyMap<string, ReportedRef>,
  present: ReadonlyMap<string, string>,
): RefChange[] {
  const moved = [...present].flatMap(([ref, after]): RefChange[] => {
    const { sha: before, changes } = reported.get(ref) ?? { sha: null, changes: 0 }
    return before === after ? [] : [{ ref, before, after, changes }]
  })
  const gone = [...reported].flatMap(([ref, { sha: before, changes }]): RefChange[] =>
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
  { ref, before, after, changes }: RefChange,
): Promise<ReportedRef> {
  const reported = { sha: after ?? noSha(before), changes: changes + 1 }
  await db
    .insertInto('local_codehost.refs')
    .values({ repository_id, ref, ...reported })
    .onConflict((conflict) => conflict.columns(['repository_id', 'ref']).doUpdateSet(reported))
    .execute()
  return { sha: after, changes: reported.changes }
}

/** Makes a ref count as new, so that its next report is about its creation. */
export async function forgetReported(
  db: LocalDatabase,
  repository_id: number,
  ref: string,
): Promise<void> {
  const { sha } = (await reportedRefs(db, repository_id)).get(ref) ?? { sha: null }
  if (sha === null) return
  await db
    .updateTable('local_codehost.refs')
    .set({ sha: noSha(sha) })
    .where('repository_id', '=', repository_id)
    .where('ref', '=', ref)
    .execute()
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
