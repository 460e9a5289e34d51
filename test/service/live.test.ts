import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createSealer } from '../../src/secrets/seal.ts'
import { scratchFolder } from '../support/command.ts'
import { ownDatabase } from '../support/database.ts'
import { deliver, emptyEverything, unpushedCommit } from '../support/local-story.ts'
import { needs } from '../support/needs.ts'
import { freePort } from '../support/ports.ts'
import { redis, startRedis } from '../support/redis.ts'
import { startProcess, urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const key = Buffer.alloc(32, 3)

afterEach(() => emptyEverything(db))

interface Part {
  number: number
  content: string
  final: boolean
}

interface Client {
  subscribe(channel: string): {
    bind_global(take: (event: string, data: Part & { state?: string }) => void): void
  }
  disconnect(): void
}

const Pusher: new (key: string, options: object) => Client = createRequire(import.meta.url)(
  'pusher-js',
)

/** Follows the log of a job as a page does: its parts by number, and its events in their order. */
async function follow(url: string, port: number, jobId: number) {
  const config = await (await fetch(`${url}/config`)).json()
  const { streaming } = (config as { config: { streaming: { key: string } } }).config
  const client = new Pusher(streaming.key, {
    cluster: 'none',
    wsHost: '127.0.0.1',
    wsPort: port,
    forceTLS: false,
    enabledTransports: ['ws'],
  })
  onTestFinished(() => client.disconnect())
  const numbers: number[] = []
  const events: string[] = []
  let text = ''
  client.subscribe(`job-${jobId}`).bind_global((event, data) => {
    if (event === 'job:log') {
      numbers.push(data.number)
      text += data.content
      if (data.final) events.push('final')
    } else if (!event.startsWith('pusher')) events.push(event)
  })
  return { numbers, events, text: () => text }
}

/** Jobs of the build; with 20 of them the test passes as well. */
const jobs = 3
const ids = Array.from({ length: jobs }, (_, index) => index + 1)

const queues = [
  { queue: 'PostgreSQL', more: async () => ({}) },
  { queue: 'Redis', more: redisSettings },
]

async function redisSettings(): Promise<Record<string, string>> {
  const server = await startRedis()
  onTestFinished(() => server.stop())
  return { REDIS_URL: server.url }
}

test.each(queues)(
  'with a queue in $queue, clients of two web processes follow jobs to their end, even if one process is killed',
  { ...needs(redis), timeout: 180_000 },
  async ({ more }) => {
    // The jobs print until a server listens at this port.
    const port = await freePort()
    const isOver = `(: </dev/tcp/127.0.0.1/${port}) 2>/dev/null`
    const lines = `until ${isOver}; do i=$((i + 1)); echo line $i; sleep 0.5; done`
    const matrix = ids.map((id) => `JOB=${id}`).join(', ')
    const delivery = await unpushedCommit(db, `'${lines}'\nenv: [${matrix}]`)
    const env = {
      DATABASE_URL: urlOf(connection),
      MASTER_KEY: key.toString('hex'),
      RUNNER_SLOTS: String(jobs),
      OWNER_JOBS: '-1',
      ...(await more()),
    }
    const start = (ROLE: string, PORT = '0') =>
      startProcess({ ...env, ROLE, PORT, DATA_DIR: scratchFolder() })
    const [kept, killed, working] = await Promise.all([
      start('web'),
      start('web'),
      start('worker,runner'),
    ])
    const portOf = (url: string) => Number(new URL(url).port)
    const followAll = (url: string) =>
      Promise.all(ids.map(async (id) => ({ id, ...(await follow(url, portOf(url), id)) })))
    const [whole, cut] = [await followAll(kept.url), await followAll(killed.url)]
    expect(await deliver(kept.url, createSealer(key), delivery)).toBe(true)
    for (const { text } of [...whole, ...cut]) {
      await vi.waitFor(() => expect(text()).toContain('line 2\r\n'), 60_000)
    }
    killed.child.kill('SIGKILL')
    await killed.gone
    const seen = cut.map(({ numbers }) => numbers.length)
    const back = await start('web', String(portOf(killed.url)))
    for (const [index, { numbers }] of cut.entries()) {
      const before = seen[index] ?? 0
      await vi.waitFor(() => expect(numbers.length).toBeGreaterThan(before), 60_000)
    }
    const over = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => void over.close())
    for (const { events } of [...whole, ...cut]) {
      await vi.waitFor(() => expect(events).toContain('job:finished'), 60_000)
    }
    await Promise.all([kept, back, working].map(({ stop }) => stop()))

    for (const { id, numbers, text, events } of whole) {
      const stored = await db
        .selectFrom('log_parts')
        .where('log_id', '=', id)
        .select(['number', 'content'])
        .orderBy('number')
        .execute()
      expect(numbers).toEqual(stored.map(({ number }) => number))
      expect(text()).toBe(stored.map(({ content }) => content).join(''))
      expect(events).toEqual([
        'job:created',
        'job:queued',
        'job:received',
        'job:started',
        'final',
        'job:finished',
      ])
    }
    // Nothing arrives twice; parts stored while the process was down are read by number.
    for (const { numbers, events } of cut) {
      expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
      expect(events.slice(-2)).toEqual(['final', 'job:finished'])
    }
  },
)
