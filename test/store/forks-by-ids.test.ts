import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Repository } from '../../src/domain/repository.ts'
import { migrate } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)

let repository: Repository
beforeEach(async () => {
  repository = await make.repository()
})

/** A build that waits for an approval, and whether it still does once the database is upgraded. */
async function upgraded(head: number | null, given: { finished_at?: Date; sender_id?: number }) {
  const { finished_at = null, sender_id = null } = given
  const pull = await make.pullRequest(repository, { head_repository_codehost_id: head })
  const build = await make.build({
    ...{ repository, event_type: 'pull_request', pull_request_id: pull.id },
    ...{ state: finished_at ? 'canceled' : 'created', finished_at, waits_for_approval: true },
  })
  await db
    .updateTable('requests')
    .set({ from_fork: true, pull_request_id: pull.id, sender_id })
    .where('id', '=', build.request_id)
    .execute()
  await sql`delete from migrations where name = '039-forks-by-ids'`.execute(db)
  expect(await migrate(db, migrations)).toEqual(['039-forks-by-ids'])
  return db
    .selectFrom('builds')
    .innerJoin('requests', 'requests.id', 'builds.request_id')
    .select(['from_fork', 'waits_for_approval'])
    .executeTakeFirstOrThrow()
}

const released = { from_fork: false, waits_for_approval: false }
const kept = { from_fork: true, waits_for_approval: true }

test('what was taken for a fork’s because of the name of its branch no longer is', async () => {
  expect(await upgraded(repository.codehost_id, {})).toEqual(released)
})

test('a build that has ended only changes whose it is', async () => {
  expect(await upgraded(repository.codehost_id, { finished_at: new Date() })).toEqual({
    ...released,
    waits_for_approval: true,
  })
})

test.each([
  ['of another repository', 4711],
  ['of a repository that was deleted', null],
])('a pull request %s stays one from a fork', async (_what, head) => {
  expect(await upgraded(head, {})).toEqual(kept)
})

test('nothing of a blocked user is released', async () => {
  const { id } = await make.user('mallory')
  await db.updateTable('users').set({ blocked_at: new Date() }).where('id', '=', id).execute()
  expect(await upgraded(repository.codehost_id, { sender_id: id })).toEqual(kept)
})
