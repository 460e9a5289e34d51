import { expect, test } from 'vitest'
import { scheduleJobs } from '../../../src/flow/jobs/schedule-jobs.ts'
import { createServer } from '../../../src/http/server.ts'
import { changeSettings } from '../../../src/store/repositories/settings.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { textIn } from './reading.ts'

const db = await testDatabase()
const make = factories(db)

const call = caller(await createServer(testContext(db)))

async function pageOf(path: string): Promise<string> {
  const answer = await call(`GET ${path}`, { accept: 'text/html' })
  expect(answer.statusCode).toBe(200)
  return textIn(answer.body)
}

test('jobs that wait for a runner show their place in the queue, counting jobs of all repositories', async () => {
  const queued = { state: 'queued' } as const
  await make.job({ ...queued, queued_at: new Date('2026-01-02T11:58:00Z') })
  await make.job({ state: 'started' })
  const build = await make.build()
  const first = await make.job({ ...queued, build, queued_at: new Date('2026-01-02T11:59:00Z') })
  await make.job({ ...queued, build, queued_at: new Date('2026-01-02T11:59:30Z') })

  const page = await pageOf(`/octavia/hello/builds/${build.id}`)
  // The first one in the sentence about the build as well.
  expect(page.match(/It waits [^.]*\./g)).toEqual([
    'It waits for a free runner, as number 2 in the queue.',
    'It waits for a free runner, as number 2 in the queue.',
    'It waits for a free runner, as number 3 in the queue.',
  ])
  expect(await pageOf(`/octavia/hello/jobs/${first.id}`)).toContain('as number 2 in the queue.')
})

test('jobs that wait for the limit of their repository show their place among the jobs waiting for it', async () => {
  const build = await make.build()
  const { id: repository_id } = await db
    .selectFrom('repositories')
    .selectAll()
    .executeTakeFirstOrThrow()
  await changeSettings(db, repository_id, { maximum_number_of_builds: 1 })
  const { owner_id, owner_type } = await make.job({ build, state: 'started' })
  await make.job({ build })
  await make.job({ build })
  await scheduleJobs(testContext(db), { owner_id, owner_type })

  const page = await pageOf(`/octavia/hello/builds/${build.id}`)
  expect(page.match(/to end, as number \d in the queue/g)).toEqual([
    'to end, as number 1 in the queue',
    'to end, as number 2 in the queue',
  ])
})
