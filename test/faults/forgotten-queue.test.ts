import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { syncInstallation } from '../../src/flow/repositories/sync-installation.ts'
import { syncInstallations } from '../../src/flow/repositories/sync-installations.ts'
import { sweepSeconds } from '../../src/flow/upkeep/sweep.ts'
import { connectQueues, type QueueConnection } from '../../src/queue/connection.ts'
import { openQueues } from '../../src/queue/queue.ts'
import { openWorker } from '../../src/queue/work.ts'
import { storeDeliveries } from '../../src/store/deliveries/deliveries.ts'
import { runDueTasks } from '../../src/worker/schedule.ts'
import { age } from '../support/age.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { emptyEverything } from '../support/local-story.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'
import { needs } from '../support/needs.ts'
import { redis, startRedis } from '../support/redis.ts'

const { db, connection } = await ownDatabase()
const make = factories(db)

const delivery = {
  guid: 'g',
  provider: 'codehost' as const,
  event: 'push',
  action: null,
  repository_codehost_id: 1,
  installation_codehost_id: null,
  sealed: false,
  body: Buffer.from('{}'),
}

/** All waiting work is processed, although the server of the queue has lost everything. */
async function expectRecovery(to: QueueConnection, forget: () => Promise<unknown>): Promise<void> {
  const queues = await openQueues(to, () => {})
  const seen: string[] = []
  const ctx = { ...testContext(db), enqueue: queues.enqueue }
  onTestFinished(async () => {
    await queues.close()
    await to.close()
    await emptyEverything(db)
  })
  await storeDeliveries(db, [delivery])
  await make.request({ state: 'created', result: null, finished_at: null })
  await make.job({ state: 'queued', queued_at: new Date() })
  await age(db, sweepSeconds + 1)
  // The entries, and the names that block duplicates, exist at first, and then no longer.
  await runDueTasks(ctx)
  await forget()
  await age(db, sweepSeconds + 1)
  await runDueTasks(ctx)

  const open = { concurrency: 1, attempts: 1, pause: 10, onError() {} }
  const workers = await Promise.all(
    (['delivery.process', 'request.accept', 'job.run'] as const).map((name) =>
      openWorker(name, to, { ...open, process: async () => void seen.push(name) }),
    ),
  )
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.close()))
  })
  await vi.waitFor(
    () => expect(seen.toSorted()).toEqual(['delivery.process', 'job.run', 'request.accept']),
    { timeout: 20_000, interval: 20 },
  )
}

describe('a sweep after the queue has lost all entries', () => {
  const settings = { database: connection, redisUrl: undefined, onError() {} }

  test('enqueues all waiting work in PostgreSQL', async () => {
    await expectRecovery(await connectQueues(settings, 3), async () => {
      const { rows } = await sql<{ name: string }>`
        select 'bullmq.' || quote_ident(tablename) as name from pg_tables
        where schemaname = 'bullmq' and tablename not like '%migration%'
      `.execute(db)
      await sql.raw(`truncate ${rows.map(({ name }) => name).join(', ')} cascade`).execute(db)
    })
  })

  test('enqueues all waiting work in Redis after FLUSHALL', needs(redis), async () => {
    const server = await startRedis()
    onTestFinished(() => server.stop())
    const to = await connectQueues({ ...settings, redisUrl: server.url }, 3)
    await expectRecovery(to, async () => to.kind === 'redis' && to.redis.flushall())
  })

  test(
    'enqueues all waiting work in Redis after kill -9 without its file',
    needs(redis),
    async () => {
      const server = await startRedis()
      const to = await connectQueues({ ...settings, redisUrl: server.url }, 3)
      await expectRecovery(to, async () => {
        await server.stop('SIGKILL')
        const again = await startRedis(server.port)
        onTestFinished(() => again.stop())
      })
    },
  )
})

describe('a task that is due', () => {
  test('is run by only one of several processes', async () => {
    onTestFinished(() => emptyEverything(db))
    await storeDeliveries(db, [delivery])
    await age(db, sweepSeconds + 1)
    const processes = [testContext(db), testContext(db), testContext(db)]
    await Promise.all(processes.map((ctx) => runDueTasks(ctx)))
    expect(processes.flatMap(({ enqueued }) => enqueued)).toHaveLength(1)
    await Promise.all(processes.map((ctx) => runDueTasks(ctx)))
    expect(processes.flatMap(({ enqueued }) => enqueued)).toHaveLength(1)
  })

  test('is run again after its interval, by any process', async () => {
    onTestFinished(() => emptyEverything(db))
    await storeDeliveries(db, [delivery])
    await age(db, sweepSeconds + 1)
    await runDueTasks(testContext(db))
    await age(db, sweepSeconds)
    const other = testContext(db)
    await runDueTasks(other)
    expect(other.enqueued).toHaveLength(1)
  })

  test('does not hold up other tasks when it fails', async () => {
    onTestFinished(() => emptyEverything(db))
    await storeDeliveries(db, [{ ...delivery, guid: 'old' }])
    const ended = { state: 'processed', processed_at: new Date() } as const
    await db.updateTable('deliveries').set(ended).execute()
    await storeDeliveries(db, [delivery])
    await age(db, 8 * 24 * 3600)
    const enqueue = () => Promise.reject(new Error('the queue is away'))
    await runDueTasks({ ...testContext(db), enqueue })
    const bodies = await db.selectFrom('deliveries').select('body').orderBy('guid').execute()
    expect(bodies).toEqual([{ body: delivery.body }, { body: null }])
  })
})

test('the look-up of an installation is stored as a row until it is done', async () => {
  onTestFinished(() => emptyEverything(db))
  const facts = {
    codehost_id: 77,
    account: {
      codehost_id: 5,
      login: 'octavia',
      type: 'User' as const,
      name: null,
      avatar_url: null,
    },
    repository_selection: 'all',
    permissions: {},
    events: [],
    suspended: false,
  }
  const installations = {
    all: async () => [facts],
    find: async () => facts,
    repositories: async () => [],
  }
  const ctx = testContext(db, { codehost: { ...memoryCodehost(), installations } as never })
  await syncInstallations(ctx)
  const requested = () => db.selectFrom('installation_syncs').select('codehost_id').execute()
  expect(await requested()).toEqual([{ codehost_id: 77 }])
  await age(db, 1)
  await syncInstallation(ctx, 77)
  expect(await requested()).toEqual([])
})
