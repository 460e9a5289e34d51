import { expect, test, vi } from 'vitest'
import { CodehostError } from '../../src/codehost/codehost.ts'
import { claimJob, renewClaim } from '../../src/flow/jobs/claim-job.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { runIfDue, sweepAgain, sweepSeconds, tidy } from '../../src/flow/upkeep/sweep.ts'
import { findCommit } from '../../src/store/commits/commits.ts'
import { markDeliveryEnded, storeDeliveries } from '../../src/store/deliveries/deliveries.ts'
import { findJob } from '../../src/store/jobs/jobs.ts'
import { announce } from '../../src/store/outbox/outbox.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)

const hour = 60 * 60 * 1000

/** Runs work as a process whose clock is ahead of the database's by this time. */
async function ahead<T>(
  milliseconds: number,
  work: (ctx: ReturnType<typeof testContext>) => Promise<T>,
): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
  try {
    return await work(testContext(db))
  } finally {
    vi.useRealTimers()
  }
}

test.each([
  ['slow', -hour, 0],
  ['fast', hour, 0],
  ['right, while that of the sweep is fast', 0, hour],
])('a healthy job stays with its runner, whose clock is %s', async (_, ofRunner, ofSweep) => {
  const { id } = await make.job({ state: 'queued' })
  const sweeping = () => ahead(ofSweep, (ctx) => sweepAgain(ctx, sweepSeconds))
  const job = await ahead(ofRunner, (ctx) => claimJob(ctx, id, 'runner'))
  await sweeping()
  await ahead(ofRunner, (ctx) => renewClaim(ctx, { job_id: id, attempt: job?.attempt ?? 0 }))
  await sweeping()
  expect(await findJob(db, id)).toMatchObject({ state: 'received', attempt: 1, resets: 0 })
})

test.each([
  ['slow', -8 * 24 * hour],
  ['fast', 8 * 24 * hour],
])(
  'the body of a webhook is kept for the full period if a clock is %s',
  async (_, milliseconds) => {
    const delivery = {
      ...{ guid: 'g', provider: 'codehost' as const, event: 'push', action: null, sealed: false },
      ...{ repository_codehost_id: 1, installation_codehost_id: null, body: Buffer.from('{}') },
    }
    await storeDeliveries(db, [delivery])
    await markDeliveryEnded(db, 1, { result: 'noted', outcome: 'x' })
    await ahead(milliseconds, tidy)
    const bodies = await db.selectFrom('deliveries').select('body').execute()
    expect(bodies).toEqual([{ body: delivery.body }])
  },
)

test('a postponed report is sent in time, even if the clock of the process that postponed it was fast', async () => {
  const codehost = memoryCodehost()
  codehost.failure = new CodehostError('slow down', { kind: 'limited', retryAfter: 60 })
  const repository = await make.repository()
  const { commit_id } = await make.build({ repository })
  const sha = (await findCommit(db, commit_id))?.sha ?? ''
  await announce(db, [
    {
      kind: 'status',
      stream: 'status:1',
      payload: { repository_id: repository.id, sha, kind: 'push' },
    },
  ])
  await ahead(hour, (ctx) => publishOutbox({ ...ctx, codehosts: { codehost } }, 'status:1'))
  const right = { ...testContext(db), codehosts: { codehost } }
  await publishOutbox(right, 'status:1')
  const [{ options } = {}] = right.enqueued
  expect(options?.delay).toBeGreaterThan(0)
  expect(options?.delay).toBeLessThanOrEqual(60_000)
})

test('the clock of the database decides when a repeated task is due', async () => {
  let runs = 0
  const task = { name: 'test', every: 60, run: async () => void (runs += 1) }
  await ahead(-hour, (ctx) => runIfDue(ctx, task))
  await ahead(hour, (ctx) => runIfDue(ctx, task))
  expect(runs).toBe(1)
})
