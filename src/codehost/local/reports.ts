import { sql } from 'kysely'
import type { CommitStatus } from '../../domain/commit/status.ts'
import type { CheckRun } from '../codehost.ts'
import type { LocalDatabase } from './tables.ts'

export async function insertStatus(
  db: LocalDatabase,
  repository_id: number,
  sha: string,
  { state, context, description, target_url }: CommitStatus,
): Promise<void> {
  await db
    .insertInto('local_codehost.statuses')
    .values({ repository_id, sha, state, context, description, target_url })
    .execute()
}

export function statusesOf(
  db: LocalDatabase,
  repository_id: number,
  sha: string,
): Promise<CommitStatus[]> {
  return db
    .selectFrom('local_codehost.statuses')
    .select(['state', 'context', 'description', 'target_url'])
    .where('repository_id', '=', repository_id)
    .where('sha', '=', sha)
    .orderBy('id', 'desc')
    .execute()
}

export async function putCheckRun(
  db: LocalDatabase,
  repository_id: number,
  run: CheckRun,
): Promise<void> {
  const { name, head_sha, external_id } = run
  const body = JSON.stringify(run)
  await db.transaction().execute(async (tx) => {
    const lock = `local_codehost.check_runs:${repository_id}:${head_sha}`
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 2))`.execute(tx)
    const newest = await tx
      .selectFrom('local_codehost.check_runs')
      .select(['id', sql<string>`body ->> 'external_id'`.as('external_id')])
      .where('repository_id', '=', repository_id)
      .where('head_sha', '=', head_sha)
      .where('name', '=', name)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (newest?.external_id === external_id) {
      await tx
        .updateTable('local_codehost.check_runs')
        .set({ body, updated_at: sql`now()` })
        .where('id', '=', newest.id)
        .execute()
      return
    }
    await tx
      .insertInto('local_codehost.check_runs')
      .values({ repository_id, head_sha, name, body })
      .execute()
  })
}

export async function checkRunsOf(
  db: LocalDatabase,
  repository_id: number,
  sha: string,
): Promise<CheckRun[]> {
  const rows = await db
    .selectFrom('local_codehost.check_runs')
    .select('body')
    .where('repository_id', '=', repository_id)
    .where('head_sha', '=', sha)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ body }) => body)
}
