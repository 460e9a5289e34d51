import { expect, test } from 'vitest'
import { transact } from '../../src/flow/transact.ts'
import { findJob, moveJob } from '../../src/store/jobs.ts'
import { dueStreams } from '../../src/store/outbox.ts'
import { noon, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)

const commit = { repository_id: 1, sha: 'a'.repeat(40) }
const status = { ...commit, kind: 'push' } as const

test('entries are added after the commit, each once, those of the outbox last', async () => {
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

test('an entry that cannot be added is reported, and its rows stay for the sweep', async () => {
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

test('a row of the outbox that is refused undoes the change, and says why', async () => {
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
