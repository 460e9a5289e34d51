import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readKeys } from '../../src/config/config.ts'
import { createSealer } from '../../src/secrets/seal.ts'
import { ownDatabase } from '../support/database.ts'
import {
  deliver,
  emptyEverything,
  expectOnePassedBuild,
  unpushedCommit,
} from '../support/local-story.ts'
import { type ServiceProcess, startProcess, urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()

interface Told {
  id: string
  state: string
}

let target: Server
/** The notifications that the target has received, in order. */
let told: Told[]
/** Called with each notification, before the response. */
let onTold: ((told: Told) => void) | undefined
let dataDir: string
let running: ServiceProcess[]

beforeAll(async () => {
  target = createServer((request, response) => {
    void text(request).then((body) => {
      const payload = new URLSearchParams(body).get('payload') ?? '{}'
      const { state, delivery } = JSON.parse(payload) as { state: string; delivery: { id: string } }
      const one = { id: delivery.id, state }
      told.push(one)
      onTold?.(one)
      response.end()
    })
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void target.close())

beforeEach(() => {
  told = []
  onTold = undefined
  dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-told-'))
  running = []
})

afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()))
  rmSync(dataDir, { recursive: true, force: true })
  await emptyEverything(db)
})

async function start(killAt?: string): Promise<ServiceProcess> {
  const service = await startProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf(connection),
    RUNNER_SLOTS: '1',
    NOTIFICATION_NETWORKS: '127.0.0.1',
    ...(killAt ? { KILL_AT: killAt } : {}),
  })
  running.push(service)
  return service
}

/** A commit whose build file notifies the target of start and end. */
function commit() {
  const { port } = target.address() as AddressInfo
  const section = `notifications:\n  webhooks:\n    urls: http://127.0.0.1:${port}/\n    on_start: always`
  return unpushedCommit(db, `'true'\n${section}`)
}

async function push(service: ServiceProcess, delivery: Awaited<ReturnType<typeof commit>>) {
  const [key = Buffer.alloc(32)] =
    readKeys(readFileSync(path.join(dataDir, 'master.key'), 'utf8')) ?? []
  await deliver(service.url, createSealer(key), delivery)
}

async function expectToldOnceInOrder(): Promise<void> {
  await expectOnePassedBuild(db)
  await vi.waitFor(
    async () => {
      const waiting = await db
        .selectFrom('outbox')
        .select('id')
        .where('published_at', 'is', null)
        .execute()
      expect(waiting).toEqual([])
    },
    { timeout: 60_000, interval: 100 },
  )
  const distinct = [...new Map(told.map((each) => [each.id, each.state])).values()]
  expect(distinct).toEqual(['started', 'passed'])
}

const hops = ['enqueue', 'process'].flatMap((verb) =>
  ['before', 'after'].map((side) => `${side} ${verb} notification.publish`),
)

test.each(hops)(
  'a service that is killed %s notifies each target once, in order',
  async (killAt) => {
    const delivery = await commit()
    const doomed = await start(killAt)
    await push(doomed, delivery)
    await doomed.gone
    await start()
    await expectToldOnceInOrder()
    expect(told).toHaveLength(2)
  },
  120_000,
)

test('a service that is killed during a notification repeats it under the same id', async () => {
  const delivery = await commit()
  const doomed = await start()
  onTold = ({ state }) => {
    if (state !== 'passed') return
    onTold = undefined
    doomed.child.kill('SIGKILL')
  }
  await push(doomed, delivery)
  await doomed.gone
  await start()
  await expectToldOnceInOrder()
  expect(told.map(({ state }) => state)).toEqual(['started', 'passed', 'passed'])
}, 120_000)
