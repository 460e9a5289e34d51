import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { LocalDelivery } from '../../src/codehost/local/delivery.ts'
import { readKeys } from '../../src/config/config.ts'
import { queueNames } from '../../src/queue/queues.ts'
import { createSealer } from '../../src/secrets/seal.ts'
import { scratchFolder } from '../support/command.ts'
import { ownDatabase } from '../support/database.ts'
import {
  deliver,
  emptyEverything,
  expectOnePassedBuild,
  unpushedCommit,
} from '../support/local-story.ts'
import { needs } from '../support/needs.ts'
import { redis, type RedisServer, startRedis } from '../support/redis.ts'
import {
  type ServiceProcess,
  type StandbyProcess,
  startProcess,
  startStandby,
  urlOf,
} from '../support/service-process.ts'

const { db, connection } = await ownDatabase()

let dataDir: string
let queueServer: RedisServer | undefined
/** Takes over from each killed service. */
let survivor: StandbyProcess
let running: { stop(): Promise<void> }[] = []

const environment = () => ({
  DATA_DIR: dataDir,
  DATABASE_URL: urlOf(connection),
  RUNNER_SLOTS: '1',
  ...(queueServer ? { REDIS_URL: queueServer.url } : {}),
})

async function start(killAt?: string): Promise<ServiceProcess> {
  const service = await startProcess({ ...environment(), ...(killAt ? { KILL_AT: killAt } : {}) })
  running.push(service)
  return service
}

async function survive() {
  const service = await survivor.serve()
  running.push(service)
  return service
}

afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()))
  running = []
  queueServer?.forget()
  await emptyEverything(db)
})

/** Whether the service responded that it has accepted the webhook. */
function deliverTo({ url }: { url: string }, delivery: LocalDelivery): Promise<boolean> {
  const [key = Buffer.alloc(32)] =
    readKeys(readFileSync(path.join(dataDir, 'master.key'), 'utf8')) ?? []
  return deliver(url, createSealer(key), delivery)
}

// The rows that belong to a push to a repository of this machine.
const queues = queueNames.filter(
  (name) => !name.endsWith('.sync') && name !== 'notification.publish',
)
const hops = queues.flatMap((name) =>
  ['enqueue', 'process'].flatMap((verb) =>
    ['before', 'after'].map((side) => `${side} ${verb} ${name}`),
  ),
)

const backends = [
  { backend: 'PostgreSQL', options: {} },
  {
    backend: 'Redis',
    options: needs(redis),
    ...(redis.missing === undefined ? { startQueue: startRedis } : {}),
  },
]

describe.each(backends)('with a queue in $backend', ({ options, startQueue }) => {
  beforeAll(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-kill-'))
    queueServer = await startQueue?.()
    survivor = startStandby(environment())
  })

  afterAll(async () => {
    await survivor.end()
    await queueServer?.stop()
    queueServer = undefined
    rmSync(dataDir, { recursive: true, force: true })
  })

  test.each(hops)(
    'a service that is killed %s still builds the webhooks it has accepted',
    { ...options, timeout: 120_000 },
    async (killAt) => {
      const delivery = await unpushedCommit(db, 'true')
      const doomed = await start(killAt)
      const taken = await deliverTo(doomed, delivery)
      await doomed.gone

      const second = await survive()
      // A webhook that was not accepted is redelivered, as code hosts do.
      if (!taken) await deliverTo(second, delivery)
      await expectOnePassedBuild(db)
    },
  )

  test(
    'a service that is killed in the middle of a job runs the job again',
    { ...options, timeout: 120_000 },
    async () => {
      const delivery = await unpushedCommit(db, 'sleep 2')
      const doomed = await start()
      await deliverTo(doomed, delivery)
      await vi.waitFor(
        async () => {
          expect(await db.selectFrom('jobs').select('state').execute()).toEqual([
            { state: 'started' },
          ])
        },
        { timeout: 60_000, interval: 50 },
      )
      doomed.child.kill('SIGKILL')
      await doomed.gone

      await survive()
      await expectOnePassedBuild(db, 2)
    },
  )

  test(
    'a webhook that arrives a hundred times at once, and once more later, creates one build',
    { ...options, timeout: 120_000 },
    async () => {
      const delivery = await unpushedCommit(db, 'true')
      const service = await survive()
      const taken = await Promise.all(
        Array.from({ length: 100 }, () => deliverTo(service, delivery)),
      )
      expect(new Set(taken)).toEqual(new Set([true]))
      await expectOnePassedBuild(db, 1)
      expect(await deliverTo(service, delivery)).toBe(true)
      expect(await db.selectFrom('deliveries').select(['state', 'guid']).execute()).toEqual([
        { state: 'processed', guid: delivery.guid },
      ])
      await expectOnePassedBuild(db, 1)
    },
  )
})

test('a service that is stopped releases its job, and the job does not count as lost', async () => {
  dataDir = scratchFolder()
  const delivery = await unpushedCommit(db, 'sleep 2')
  const first = await start()
  await deliverTo(first, delivery)
  await vi.waitFor(
    async () => {
      expect(await db.selectFrom('jobs').select('state').execute()).toEqual([{ state: 'started' }])
    },
    { timeout: 60_000, interval: 50 },
  )
  await first.stop()
  expect(await db.selectFrom('jobs').select(['state', 'resets']).execute()).toEqual([
    { state: 'created', resets: 0 },
  ])
  await start()
  await expectOnePassedBuild(db, 2)
}, 120_000)
