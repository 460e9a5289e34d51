import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { transact } from '../../src/flow/transact.ts'
import { findJob, moveJob } from '../../src/store/jobs/jobs.ts'
import { dueStreams } from '../../src/store/outbox/outbox.ts'
import type { Database } from '../../src/store/tables.ts'
import { noon, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)

const commit = { repository_id: 1, sha: 'a'.repeat(40) }
const status = { ...commit, kind: 'push' } as const

test('entries are added once, after the commit, and those of the outbox last', async () => {
  const ctx = testContext(db)
  const returned = await transact(ctx, async (tx) => {
    tx.announce('status', 'status:1', status)
    tx.follow('jobs.schedule', { owner_id: 1, owner_type: 'User' })
    tx.announce('check:config', 'check:1', commit)
    tx.announce('status', 'status:1', status)
    tx.follow('job.run', { job_id: 1 })
    tx.follow('jobs.schedule', { owner_id: 1, owner_type: 'User' })
    expect(ctx.enqueued).toEqual([])
    return 'done'
  })
  expect(returned).toBe('done')
  expect(ctx.enqueued).toEqual([
    { name: 'jobs.schedule', payload: { owner_id: 1, owner_type: 'User' } },
    { name: 'job.run', payload: { job_id: 1 } },
    { name: 'outbox.publish', payload: { stream: 'status:1' } },
    { name: 'outbox.publish', payload: { stream: 'check:1' } },
  ])
  expect(await db.selectFrom('outbox').select('stream').orderBy('id').execute()).toEqual([
    { stream: 'status:1' },
    { stream: 'check:1' },
  ])
})

test('a change that throws leaves neither rows nor entries', async () => {
  const ctx = testContext(db)
  const change = transact(ctx, async (tx) => {
    tx.announce('status', 'status:1', status)
    tx.follow('job.run', { job_id: 1 })
    throw new Error('changed its mind')
  })
  await expect(change).rejects.toThrow('changed its mind')
  expect(ctx.enqueued).toEqual([])
  expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([])
})

test('an entry that cannot be added is reported, and the sweep finds its rows', async () => {
  const ctx = testContext(db)
  const { id } = await make.job()
  ctx.enqueue = () => Promise.reject(new Error('the queue is away'))
  const change = transact(ctx, async (tx) => {
    await moveJob(tx.db, { id }, ['created'], { state: 'queued', queued_at: noon })
    tx.announce('status', 'status:1', status)
    tx.follow('job.run', { job_id: id })
  })
  await expect(change).rejects.toThrow('the queue is away')
  expect(await findJob(db, id)).toMatchObject({ state: 'queued' })
  expect(await dueStreams(db, 0)).toEqual(['status:1'])
})

test('a refused row of the outbox rolls the change back, with the reason', async () => {
  const ctx = testContext(db)
  const { id } = await make.job()
  const change = transact(ctx, async (tx) => {
    await moveJob(tx.db, { id }, ['created'], { state: 'queued', queued_at: noon })
    tx.follow('job.run', { job_id: id })
    tx.announce('status', 'status:\u0000', status)
  })
  await expect(change).rejects.toThrow('invalid byte sequence')
  expect(await findJob(db, id)).toMatchObject({ state: 'created' })
  expect(ctx.enqueued).toEqual([])
})

/** Makes the server roll the transaction back, as after a serialization failure or a deadlock. */
const undo = (on: Database, code: string) =>
  sql`do $$ begin raise sqlstate ${sql.raw(`'${code}'`)}; end $$`.execute(on)

describe.each(['40001', '40P01'])('a change that the database rolled back (%s)', (code) => {
  test('is repeated up to three times, and keeps only the effects of the last run', async () => {
    const ctx = testContext(db)
    let runs = 0
    const returned = await transact(ctx, async (tx) => {
      runs += 1
      tx.follow('job.run', { job_id: runs })
      tx.announce('status', `status:${runs}`, status)
      if (runs < 4) await undo(tx.db, code)
      return runs
    })
    expect(returned).toBe(4)
    expect(ctx.enqueued).toEqual([
      { name: 'job.run', payload: { job_id: 4 } },
      { name: 'outbox.publish', payload: { stream: 'status:4' } },
    ])
    const rows = await db.selectFrom('outbox').select('stream').execute()
    expect(rows).toEqual([{ stream: 'status:4' }])
  })

  test('fails after three repetitions', async () => {
    const ctx = testContext(db)
    let runs = 0
    const change = transact(ctx, async (tx) => {
      runs += 1
      await undo(tx.db, code)
    })
    await expect(change).rejects.toMatchObject({ code })
    expect(runs).toBe(4)
  })
})

test('a change that fails for another reason is not repeated', async () => {
  const ctx = testContext(db)
  let runs = 0
  const change = transact(ctx, async (tx) => {
    runs += 1
    await undo(tx.db, '23505')
  })
  await expect(change).rejects.toMatchObject({ code: '23505' })
  expect(runs).toBe(1)
})

const lockJob = (on: Database, id: number) =>
  sql`select from jobs where id = ${id} for update`.execute(on)

test('two changes that lock the same rows in different orders both complete', async () => {
  const ctx = testContext(db)
  const ids = [(await make.job()).id, (await make.job()).id] as const
  let meet = () => {}
  const met = new Promise<void>((resolve) => (meet = resolve))
  let first = 0
  const change = ([one, two]: readonly [number, number]) =>
    transact(ctx, async (tx) => {
      await lockJob(tx.db, one)
      first += 1
      if (first === 2) meet()
      await met
      await lockJob(tx.db, two)
    })
  await Promise.all([change(ids), change([ids[1], ids[0]])])
  // One of the changes is rolled back and retried, on a busy server more than once.
  expect(first).toBeGreaterThanOrEqual(3)
})
