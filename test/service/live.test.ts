import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createSealer } from '../../src/secrets/seal.ts'
import { scratchFolder } from '../support/command.ts'
import { ownDatabase } from '../support/database.ts'
import { deliver, emptyEverything, unpushedCommit } from '../support/local-story.ts'
import { freePort } from '../support/ports.ts'
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

test('clients of two web processes follow a job to its end, even if one process is killed', async () => {
  // The job prints until a server listens at this port.
  const port = await freePort()
  const isOver = `(: </dev/tcp/127.0.0.1/${port}) 2>/dev/null`
  const lines = `until ${isOver}; do i=$((i + 1)); echo line $i; sleep 0.5; done`
  const delivery = await unpushedCommit(db, `'${lines}'`)
  const env = { DATABASE_URL: urlOf(connection), MASTER_KEY: key.toString('hex') }
  const start = (ROLE: string, PORT = '0') =>
    startProcess({ ...env, ROLE, PORT, DATA_DIR: scratchFolder() })
  const [kept, killed, working] = await Promise.all([
    start('web'),
    start('web'),
    start('worker,runner'),
  ])
  const portOf = (url: string) => Number(new URL(url).port)
  const clients = await Promise.all([
    follow(kept.url, portOf(kept.url), 1),
    follow(killed.url, portOf(killed.url), 1),
  ])
  expect(await deliver(kept.url, createSealer(key), delivery)).toBe(true)
  for (const { text } of clients) {
    await vi.waitFor(() => expect(text()).toContain('line 2\r\n'), 60_000)
  }
  killed.child.kill('SIGKILL')
  await killed.gone
  const seen = clients[1].numbers.length
  const back = await start('web', String(portOf(killed.url)))
  await vi.waitFor(() => expect(clients[1].numbers.length).toBeGreaterThan(seen), 60_000)
  const over = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void over.close())
  for (const { events } of clients) {
    await vi.waitFor(() => expect(events).toContain('job:finished'), 60_000)
  }
  await Promise.all([kept, back, working].map(({ stop }) => stop()))

  const { rows } = {
    rows: await db.selectFrom('log_parts').selectAll().orderBy('number').execute(),
  }
  const [whole, cut] = clients
  expect(whole?.numbers).toEqual(rows.map(({ number }) => number))
  expect(whole?.text()).toBe(rows.map(({ content }) => content).join(''))
  expect(whole?.events).toEqual([
    'job:created',
    'job:queued',
    'job:received',
    'job:started',
    'final',
    'job:finished',
  ])
  // Nothing arrives twice; parts stored while the process was down are read by number.
  expect(cut?.numbers).toEqual([...new Set(cut?.numbers)].toSorted((a, b) => a - b))
  expect(cut?.events.slice(-2)).toEqual(['final', 'job:finished'])
}, 180_000)
