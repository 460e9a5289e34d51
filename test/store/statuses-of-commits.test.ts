import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { freshDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const { db } = await freshDatabase()
const make = factories(db)
const sha = 'a'.repeat(40)

/** Takes back what the migration makes, as if it had not run. */
async function before(): Promise<void> {
  await sql`drop table commit_statuses`.execute(db)
  await sql`alter table requests drop column forced`.execute(db)
  await sql`alter table approvals drop constraint approvals_pkey`.execute(db)
  await sql`alter table approvals drop column base_ref`.execute(db)
  await sql`alter table approvals add primary key (pull_request_id, sha)`.execute(db)
  await sql`delete from migrations where name = '041-statuses-of-commits'`.execute(db)
}

test('approvals get the base of their time, and reports that wait are derived', async () => {
  const repository = await make.repository()
  const { id: repository_id } = repository
  const user = await make.user()
  const pull = await make.pullRequest(repository, { head_sha: sha })
  const other = await make.pullRequest(repository, { head_sha: sha })
  const about = { repository, event_type: 'pull_request', head_commit: sha } as const
  const created_at = new Date(Date.now() - 60_000)
  await make.request({ ...about, pull_request_id: pull.id, base_ref: 'prod', created_at })
  await before()
  for (const { id } of [pull, other]) {
    await sql`insert into approvals (repository_id, pull_request_id, sha, approved_by_id)
      values (${repository_id}, ${id}, ${sha}, ${user.id})`.execute(db)
  }
  const context = 'continuous-integration/service'
  for (const [kind, stream] of [
    ['status:build', `status:${repository_id}:${sha}:${context}/pr`],
    ['status:skipped', `status:${repository_id}:${sha}:${context}/push`],
    ['check:config', `check:${repository_id}:${sha}:config`],
    ['check:build', `check:${repository_id}:${sha}:push`],
  ]) {
    await sql`insert into outbox (kind, stream, payload)
      values (${kind}, ${stream}, '{"build_id": 1, "request_id": 1}')`.execute(db)
  }

  expect(await migrate(db, migrations)).toEqual(['041-statuses-of-commits'])

  const approvals = db.selectFrom('approvals').select(['pull_request_id', 'base_ref'])
  expect(await approvals.execute()).toEqual([{ pull_request_id: pull.id, base_ref: 'prod' }])
  const rows = await db.selectFrom('outbox').select(['kind', 'payload']).orderBy('id').execute()
  expect(rows).toEqual([
    { kind: 'status', payload: { repository_id, sha, kind: 'pr' } },
    { kind: 'status', payload: { repository_id, sha, kind: 'push' } },
    { kind: 'check:config', payload: { repository_id, sha } },
    { kind: 'check:build', payload: { repository_id, sha, kind: 'push' } },
  ])
})
