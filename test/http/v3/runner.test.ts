import { expect, test } from 'vitest'
import { markStopped, registerRunner, setProblem } from '../../../src/store/jobs/runners.ts'
import { noon } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { administered, administering } from './administered.ts'
import { wholePage } from './whole-page.ts'

const db = await testDatabase()
const make = factories(db)
const { call } = await administered(db)

test('runners are shown with what they do', async () => {
  const root = await make.user('Root')
  const runner = {
    executor: 'process',
    isolation: 'sandbox',
    os: 'linux',
    arch: 'amd64',
    slots: 2,
    version: '1.0.0',
  }
  await registerRunner(db, { id: 'gone', host: 'there', ...runner })
  await markStopped(db, 'gone')
  await registerRunner(db, { id: 'here', host: 'here', ...runner })
  await setProblem(db, 'here', 'the disk is full')
  const { id: job_id } = await make.job({ state: 'started' })
  const times = { claimed_at: noon, renewed_at: noon }
  await db
    .insertInto('leases')
    .values({ job_id, attempt: 1, runner_id: 'here', ...times })
    .execute()
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string
  const shown = {
    '@type': 'runner',
    '@representation': 'standard',
    ...administering,
    id: 'here',
    host: 'here',
    ...runner,
    jobs: 1,
    alive: true,
    problem: 'the disk is full',
    started_at: time,
    heartbeat_at: time,
    stopped_at: null,
  }
  const stopped = {
    ...{ id: 'gone', host: 'there', jobs: 0, alive: false, problem: null },
    stopped_at: time,
  }
  expect(await call('GET /runners', root)).toEqual({
    status: 200,
    body: {
      '@type': 'runners',
      ...wholePage('/runners', 2),
      runners: [shown, { ...shown, ...stopped }],
    },
  })
})
