import { expect, test } from 'vitest'
import { claimJob } from '../../src/flow/claim-job.ts'
import type { Context } from '../../src/flow/context.ts'
import { publishOutbox } from '../../src/flow/publish-outbox.ts'
import { renewClaim } from '../../src/flow/renew-claim.ts'
import { sweepAgain, sweepSeconds } from '../../src/flow/sweep.ts'
import { tidy } from '../../src/flow/tidy.ts'
import { CodehostError } from '../../src/codehost/codehost.ts'
import { markDeliveryEnded, storeDeliveries } from '../../src/store/deliveries.ts'
import { findJob } from '../../src/store/jobs.ts'
import { announce } from '../../src/store/outbox.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)

const hour = 60 * 60 * 1000

/** A process whose clock is that much ahead of the database's. */
function process(milliseconds: number): Context & ReturnType<typeof testContext> {
  return { ...testContext(db), now: () => new Date(Date.now() + milliseconds) }
}

test.each([
  ['slow', -hour, 0],
  ['fast', hour, 0],
  ['right, and that of the sweep is fast', 0, hour],
])('a healthy job stays with its runner, whose clock is %s', async (_, ofRunner, ofSweep) => {
  const runner = process(ofRunner)
  const { id } = await make.job({ state: 'queued' })
  const job = await claimJob(runner, id, 'runner')
  await sweepAgain(process(ofSweep), sweepSeconds)
  await renewClaim(runner, { job_id: id, attempt: job?.attempt ?? 0 })
  await sweepAgain(process(ofSweep), sweepSeconds)
  expect(await findJob(db, id)).toMatchObject({ state: 'received', attempt: 1, resets: 0 })
})

test.each([
  ['slow', -8 * 24 * hour],
  ['fast', 8 * 24 * hour],
])('the body of a webhook is kept as long as it should be, if a clock is %s', async (_, ahead) => {
  const ctx = process(ahead)
  const delivery = {
    ...{ guid: 'g', provider: 'codehost' as const, event: 'push', action: null, sealed: false },
    ...{ repository_codehost_id: 1, installation_codehost_id: null, body: Buffer.from('{}') },
  }
  await storeDeliveries(db, [delivery])
  await markDeliveryEnded(db, 1, { state: 'processed', outcome: 'x' })
  await tidy(ctx)
  const bodies = await db.selectFrom('deliveries').select('body').execute()
  expect(bodies).toEqual([{ body: delivery.body }])
})

test('what was to be reported later is so, although the process that said so was fast', async () => {
  const codehost = memoryCodehost()
  codehost.failure = new CodehostError('slow down', { kind: 'limited', retryAfter: 60 })
  const repository = await make.repository()
  const build = await make.build({ repository })
  await announce(db, 'status:build', 'status:1', { build_id: build.id, state: 'created' })
  const ahead = { ...process(hour), codehosts: { codehost } }
  await publishOutbox(ahead, 'status:1')
  const right = { ...process(0), codehosts: { codehost } }
  await publishOutbox(right, 'status:1')
  const [{ options } = {}] = right.enqueued
  expect(options?.delay).toBeGreaterThan(0)
  expect(options?.delay).toBeLessThanOrEqual(60_000)
})
