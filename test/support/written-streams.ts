import type { Database } from '../../src/store/tables.ts'

/** The streams of all reports, in the order in which their first rows were written. */
export async function writtenStreams(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('outbox')
    .select('stream')
    .groupBy('stream')
    .orderBy(({ fn }) => fn.min('id'))
    .execute()
  return rows.map(({ stream }) => stream)
}
