import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { nextRun } from '../../src/domain/cron.ts'
import { seenTagsAndPausedCrons } from '../../src/store/migrations/040-seen-tags-and-paused-crons.ts'
import { putBranch } from '../../src/store/branches.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const { db } = await ownDatabase()
const make = factories(db)

const planned_at = new Date('2024-02-05T03:30:00Z')

async function ended(interval: 'daily' | 'weekly' | 'monthly', inactive_reason: string) {
  const repository = await make.repository({ archived_at: new Date(), name: `${interval}-hello` })
  const { id: branch_id } = await putBranch(db, repository.id, inactive_reason)
  await db
    .insertInto('crons')
    .values({
      ...{ repository_id: repository.id, branch_id, interval, inactive_reason, active: false },
      ...{ planned_at, next_run: planned_at, start_at: null, timezone: 'UTC' },
    })
    .execute()
}

test('crons that ended for good since their repository is archived go on with their next run', async () => {
  const intervals = ['daily', 'weekly', 'monthly'] as const
  for (const interval of intervals) await ended(interval, 'the repository is archived')
  await ended('daily', 'the repository was deleted')
  await sql`drop table seen_tags`.execute(db)
  await seenTagsAndPausedCrons.up(db)
  const crons = await db
    .selectFrom('crons')
    .select(['interval', 'active', 'inactive_reason', 'next_run'])
    .orderBy('id')
    .execute()
  const now = new Date()
  const plan = { planned_at, start_at: null, timezone: 'UTC' }
  expect(crons).toEqual([
    ...intervals.map((interval) => ({
      ...{ interval, active: true, inactive_reason: null },
      next_run: nextRun({ ...plan, interval }, now),
    })),
    {
      ...{ interval: 'daily', active: false, inactive_reason: 'the repository was deleted' },
      next_run: planned_at,
    },
  ])
})
