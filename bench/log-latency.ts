// How long a part of a log takes from the store to a client that listens, over the official client. The anchor is a
// bare WebSocket server that sends the same text. Further: from the line that a job prints to the client, the last of 1,000
// clients, and the memory that a log of 100 MB takes while one client reads it.
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { benchmark, type Bench } from './harness/benchmark.ts'
import { type Child, startChild } from './harness/child.ts'
import { compare } from './harness/compare.ts'
import { subline } from './harness/line.ts'
import { median, percentile, rounded } from './harness/statistics.ts'

const goal = { goal: 3, better: 'lower', noise: 0.15 } as const
const goalOfMany = { goal: 2, better: 'lower', noise: 0.15 } as const
/** Milliseconds. */
const longest = { stored_p99: 10, printed_p50: 50, printed_p99: 150 }
const most_mb = 80
const many = 1000
const line = 'x'.repeat(200)

/** A client of the stream; `take` gets each part when it comes. */
interface Listener {
  take: (text: string) => void
  close(): void
}

interface Side {
  child: Child
  /** Opens clients of the log that `append` writes. */
  listen(count: number): Promise<Listener[]>
}

interface PusherClient {
  subscribe(channel: string): {
    bind(event: string, take: (data: { content: string }) => void): void
  }
  disconnect(): void
}

const Pusher: new (key: string, options: object) => PusherClient = createRequire(import.meta.url)(
  'pusher-js',
)

await benchmark({ bench: 'log-latency', ...goal }, async (bench) => {
  const { candidate, anchor, official, jobs } = await openSides(bench)
  const { quick } = bench.plan
  const parts = quick ? 50 : 500
  const stored: number[] = []
  const comparison = await compare(
    {
      async candidate() {
        const latencies = await latenciesOf(candidate.child, [await official(jobs.appended)], parts)
        stored.push(...latencies)
        return median(latencies)
      },
      anchor: async () => median(await latenciesOf(anchor.child, await anchor.listen(1), parts)),
    },
    { ...bench.plan, pairs: 8, warmUp: 2 },
  )
  const last = (side: Side) => async () => {
    const latencies = await latenciesOf(side.child, await side.listen(many), quick ? 10 : 100)
    return percentile(latencies, 0.99)
  }
  const ofMany = await compare(
    { candidate: last(candidate), anchor: last(anchor) },
    { ...bench.plan, pairs: 4, warmUp: 2 },
  )
  const flood_mb = await flood(candidate)
  const printed = await printedLatencies(candidate.child, await official(jobs.printed))
  const figures = {
    stored_p50: rounded(median(stored)),
    stored_p99: rounded(percentile(stored, 0.99)),
    printed_p50: rounded(median(printed)),
    printed_p99: rounded(percentile(printed, 0.99)),
  }
  const met =
    flood_mb <= most_mb &&
    figures.stored_p99 <= longest.stored_p99 &&
    figures.printed_p50 <= longest.printed_p50 &&
    figures.printed_p99 <= longest.printed_p99
  const further = { ...figures, flood_mb, last_of_1000: subline(goalOfMany, ofMany) }
  return { comparison, further: met ? further : { ...further, met: false } }
})

async function openSides({ place, databases }: Bench) {
  const child = place.keep(
    await startChild(place, 'candidates/log-latency.ts', {
      DATABASE_URL: await databases.create('log_latency'),
      DATA_DIR: place.folder('data'),
      REPOSITORY: place.folder('repository'),
      PORT: '0',
      LOG_LEVEL: 'error',
      RUNNER_SLOTS: '1',
    }),
  )
  const bare = place.keep(await startChild(place, 'anchors/log-latency.ts', {}))
  const jobs = await child.asks<{ appended: number; printed: number }>('jobs')
  const key = await keyOf(child)
  const channel = `job-${jobs.appended}`
  const candidate: Side = {
    child,
    listen: (count) =>
      openAll(count, (from) => openRaw(`${child.url}/app/${key}?protocol=7`, from, channel)),
  }
  const anchor: Side = {
    child: bare,
    listen: (count) => openAll(count, (from) => openRaw(bare.url, from)),
  }
  return { candidate, anchor, jobs, official: (job: number) => openOfficial(child, key, job) }
}

async function keyOf({ url }: Child): Promise<string> {
  const answer = (await (await fetch(`${url}/config`)).json()) as {
    config: { streaming: { key: string } }
  }
  return answer.config.streaming.key
}

async function openAll(
  count: number,
  open: (from: string) => Promise<Listener>,
): Promise<Listener[]> {
  const listeners: Listener[] = []
  while (listeners.length < count) {
    // The service takes some hundred connections from one address.
    const from = `127.0.0.${2 + Math.floor(listeners.length / 250)}`
    const group = Array.from({ length: Math.min(50, count - listeners.length) }, () => open(from))
    listeners.push(...(await Promise.all(group)))
  }
  return listeners
}

/** A client that only knows frames; on a channel if one is given. */
async function openRaw(url: string, from: string, channel?: string): Promise<Listener> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { localAddress: from })
  const listener: Listener = { take() {}, close: () => socket.terminate() }
  await once(socket, 'open')
  if (channel !== undefined) {
    socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel } }))
    await new Promise<void>((resolve) => {
      socket.on('message', (text: Buffer) => {
        if (text.toString().includes('subscription_succeeded')) resolve()
      })
    })
  }
  socket.on('message', (text: Buffer) => {
    const frame = text.toString()
    if (frame.includes('"job:log"')) listener.take(frame)
  })
  return listener
}

async function openOfficial({ url }: Child, key: string, job: number): Promise<Listener> {
  const client = new Pusher(key, {
    cluster: 'none',
    wsHost: '127.0.0.1',
    wsPort: Number(new URL(url).port),
    forceTLS: false,
    enabledTransports: ['ws'],
    enableStats: false,
  })
  const listener: Listener = { take() {}, close: () => client.disconnect() }
  const channel = client.subscribe(`job-${job}`)
  channel.bind('job:log', ({ content }) => listener.take(content))
  await new Promise<void>((resolve) => {
    channel.bind('pusher:subscription_succeeded', () => resolve())
  })
  return listener
}

/**
 * Appends parts one after the other, and closes the clients. Returns the milliseconds from the store to the last of
 * these clients.
 */
async function latenciesOf(
  child: Child,
  listeners: readonly Listener[],
  count: number,
): Promise<number[]> {
  const latencies: number[] = []
  for (let part = 0; part < count; part += 1) {
    const received = receivedByAll(listeners)
    const stored = await child.asks<number>('append', line)
    latencies.push((await received) - stored)
    await pause(2)
  }
  for (const { close } of listeners) close()
  return latencies.map((nanoseconds) => Math.max(0, nanoseconds) / 1e6)
}

/** The time when the last of these clients has the next part, in nanoseconds. */
function receivedByAll(listeners: readonly Listener[]): Promise<number> {
  let left = listeners.length
  return new Promise((resolve) => {
    for (const listener of listeners) {
      listener.take = () => {
        listener.take = () => {}
        left -= 1
        if (left === 0) resolve(Number(process.hrtime.bigint()))
      }
    }
  })
}

/** Megabytes by which the service grows at most while a log of 100 MB is appended and read. */
async function flood({ child, listen }: Side): Promise<number> {
  const [listener] = await listen(1)
  const before = await child.asks<number>('rss')
  let peak = before
  const part = `${'y'.repeat(99)}\n`.repeat(1000)
  for (let sent = 0; sent < 1000; sent += 1) {
    await child.asks('append', part)
    if (sent % 20 === 0) peak = Math.max(peak, await child.asks<number>('rss'))
  }
  listener?.close()
  return rounded((peak - before) / 1e6)
}

/** The milliseconds from a line that a job prints to the client. */
async function printedLatencies(child: Child, listener: Listener): Promise<number[]> {
  const latencies: number[] = []
  const all = new Promise<void>((resolve) => {
    listener.take = (content) => {
      const now = (performance.timeOrigin + performance.now()) * 1e6
      for (const [, at] of content.matchAll(/^at (\d+)\r?$/gm))
        latencies.push((now - Number(at)) / 1e6)
      if (content.includes('Done.')) resolve()
    }
  })
  await child.asks('run')
  await all
  listener.close()
  return latencies
}
