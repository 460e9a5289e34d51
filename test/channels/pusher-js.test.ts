import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Job } from '../../src/domain/job/job.ts'
import { finishJob } from '../../src/flow/jobs/finish-job.ts'
import { appendLog } from '../../src/flow/jobs/logs.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { app, type Served, serve } from './scene.ts'

const database = await ownDatabase()
const make = factories(database.db)
let service: Served
let member: Awaited<ReturnType<typeof make.user>>
let job: Job
let hidden: Job

beforeAll(async () => {
  service = await serve(database)
  member = await make.user('member')
  const open = await make.repository({ name: 'open' })
  const safe = await make.repository({ name: 'safe', private: true })
  await make.permission(member, open)
  await make.permission(member, safe)
  job = await make.job({ build: await make.build({ repository: open }), state: 'started' })
  hidden = await make.job({
    build: await make.build({ repository: safe, private: true }),
    state: 'started',
  })
})
afterAll(() => service.close())

/** The part of a client that the tests use and all versions have. */
interface Client {
  connection: { socket_id: string; state: string }
  subscribe(channel: string): Channel
  disconnect(): void
}

interface Channel {
  name: string
  bind(event: string, take: (data: unknown) => void): void
  bind_global(take: (event: string, data: { final?: boolean }) => void): void
}

type Constructor = new (key: string, options: object) => Client

const require = createRequire(import.meta.url)

/** The versions in use by pages and clients. */
const newest: Constructor = require('pusher-js')
const versions: readonly [string, Constructor][] = [
  ['8', newest],
  ['5.1', require('pusher-js-5')],
  ['4.4', require('pusher-js-4')],
]

/** A client as a page would create it, which signs its channels with this token. */
function open(Pusher: Constructor, token?: string): Client {
  const client = new Pusher(app.key, {
    cluster: 'none',
    wsHost: service.host,
    httpHost: service.host,
    wsPort: service.port,
    forceTLS: false,
    encrypted: false,
    enabledTransports: ['ws'],
    disableStats: true,
    authEndpoint: `${service.url}/streaming/auth`,
    auth: { headers: token === undefined ? {} : { Authorization: `token ${token}` } },
  })
  onTestFinished(() => client.disconnect())
  return client
}

const eventOf = (channel: Channel, event: string) =>
  new Promise<unknown>((resolve) => {
    channel.bind(event, resolve)
  })

describe.each(versions)('pusher-js %s', (_version, Pusher) => {
  test('follows the log of a public job', async () => {
    const client = open(Pusher)
    const channel = client.subscribe(`job-${job.id}`)
    await eventOf(channel, 'pusher:subscription_succeeded')
    const received = eventOf(channel, 'job:log')
    const number = await append(job, 'hello\n')
    expect(await received).toEqual({
      id: job.id,
      job_id: job.id,
      log_id: job.id,
      number,
      content: 'hello\n',
      _log: 'hello\n',
      final: false,
    })
  })

  test('follows a private job after its channel was signed', async () => {
    const client = open(Pusher, member.token)
    const channel = client.subscribe(`private-job-${hidden.id}`)
    await eventOf(channel, 'pusher:subscription_succeeded')
    const received = eventOf(channel, 'job:log')
    await append(hidden, 'secret\n')
    expect(await received).toMatchObject({ id: hidden.id, content: 'secret\n' })
  })

  test('is informed if it has no access', async () => {
    const client = open(Pusher)
    const channel = client.subscribe(`private-job-${hidden.id}`)
    await eventOf(channel, 'pusher:subscription_error')
    await append(hidden, 'secret\n')
    expect(client.connection.state).toBe('connected')
  })

  test('reconnects automatically when its connection is cut, with all its channels', async () => {
    const client = open(Pusher, member.token)
    const channel = client.subscribe(`private-job-${hidden.id}`)
    await eventOf(channel, 'pusher:subscription_succeeded')
    const first = client.connection.socket_id
    const again = eventOf(channel, 'pusher:subscription_succeeded')
    service.live.channels?.cut(first)
    await again
    expect(client.connection.socket_id).not.toBe(first)
    const received = eventOf(channel, 'job:log')
    await append(hidden, 'after the cut\n')
    expect(await received).toMatchObject({ content: 'after the cut\n' })
  })
})

const numbers = new Map<number, number>()

async function append({ id, attempt }: Job, content: string): Promise<number> {
  const number = (numbers.get(id) ?? 0) + 1
  numbers.set(id, number)
  await appendLog(service.ctx, { job_id: id, attempt }, [{ number, content, final: false }])
  return number
}

test('the last part of a log arrives before the end of its job, and both before the end of the build', async () => {
  const client = open(newest, member.token)
  const channels = [`private-job-${job.id}`, `private-user-${member.id}`].map((name) =>
    client.subscribe(name),
  )
  await Promise.all(channels.map((channel) => eventOf(channel, 'pusher:subscription_succeeded')))
  const order: string[] = []
  for (const channel of channels) {
    channel.bind_global((event, data) => {
      if (!event.startsWith('pusher')) order.push(`${channel.name} ${event} ${data.final ?? ''}`)
    })
  }
  const run = { job_id: job.id, attempt: job.attempt }
  const number = (numbers.get(job.id) ?? 0) + 1
  await appendLog(service.ctx, run, [{ number, content: '', final: true }])
  await finishJob(service.ctx, run, 'passed')
  while (!order.some((each) => each.includes('build:finished'))) await pause(10)
  expect(order).toEqual([
    `private-job-${job.id} job:log true`,
    `private-job-${job.id} job:finished `,
    `private-user-${member.id} job:finished `,
    `private-user-${member.id} build:finished `,
  ])
})
