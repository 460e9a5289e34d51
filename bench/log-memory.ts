// How much memory the readers of one large log (57 MB) take, and how much later other calls are answered
// meanwhile. The figure is the megabytes that the resident memory of the service, role `web`, grew by
// at most, a reader; `later_ms` is what the slowest hundredth of other reads took longer than alone.
//
// Four readers read as fast as they can; then four read a first part and wait, as slow clients do.
import { createHash, randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Bench, benchmark } from './harness/benchmark.ts'
import { type Child, startChild } from './harness/child.ts'
import { run } from './harness/databases.ts'
import { type Load, openLoad } from './harness/load.ts'
import { fillReads } from './harness/read-rows.ts'
import { percentile, rounded } from './harness/statistics.ts'

const readers = 4
const log = 1
const rows = { repositories: 200, builds: 2000, jobs: 6000, logs: 20 }
/** Parts of the large log, of 2,000 characters each. */
const parts = 28_500
const latest = 20

await benchmark({ bench: 'log-memory', goal: 30, better: 'lower', noise: 0.15 }, async (bench) => {
  const { child, headers } = await openService(bench)
  const load = bench.place.keep(await openLoad(child.url, 2))
  await probe(load, headers, 1000)
  const alone = await probe(load, headers, 3000)
  const quick = await readAll(child, load, headers)
  const slow = await stall(child, headers)
  const ratio = Math.max(quick.grown_mb, slow.grown_mb) / readers
  const later_ms = rounded(quick.p99_ms - alone)
  const further = { readers, quick, slow, alone_p99_ms: rounded(alone), later_ms, latest }
  const comparison = { ratio, p10: ratio, p90: ratio, aa: 1 }
  return { comparison, further: later_ms <= latest ? further : { ...further, met: false } }
})

async function openService({ place, databases }: Bench) {
  const database = await databases.create('log_memory')
  const settings = { DATABASE_URL: database, DATA_DIR: place.folder('data') }
  const child = place.keep(
    await startChild(place, 'candidates/webhook-intake.ts', {
      ...settings,
      ...{ PORT: '0', ROLE: 'web' },
    }),
  )
  const token = randomBytes(16).toString('base64url')
  await fillReads(database, rows, createHash('sha256').update(token).digest('hex'))
  await run(database, `delete from log_parts where log_id = ${log}`)
  await run(
    database,
    `insert into log_parts (log_id, attempt, number, content, final)
     select ${log}, 0, part, repeat(md5(part::text) || E' \\u001b[32mok\\u001b[0m\\r\\n', 44), part = ${parts}
     from generate_series(1, ${parts}) part`,
  )
  return { child, headers: { authorization: `token ${token}` } }
}

type Headers = Readonly<Record<string, string>>

/** Reads of other things for so long; returns the latency of the slowest hundredth. */
async function probe(load: Load, headers: Headers, ms: number): Promise<number> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  let id = 0
  const outcome = await load.fire({
    ms,
    status: 200,
    next() {
      id = 1 + (id % rows.builds)
      const text = `GET /builds/${id} HTTP/1.1\r\nhost: ci.example.org\r\n${lines.join('')}\r\n`
      return { id: String(id), bytes: Buffer.from(text) }
    },
  })
  if (outcome.failures > 0) throw new Error(`${outcome.failures} reads of builds failed`)
  return percentile(outcome.latencies, 0.99)
}

/** All readers at once, as fast as they can, over and over while others read too. */
async function readAll(child: Child, load: Load, headers: Headers) {
  const watch = watchMemory(child)
  const sizes: number[] = []
  const until = performance.now() + 6000
  const reading = Array.from({ length: readers }, async () => {
    while (performance.now() < until) sizes.push(await sizeOf(await openLog(child, headers)))
  })
  const p99_ms = await probe(load, headers, 6000)
  await Promise.all(reading)
  const smallest = Math.min(...sizes)
  if (smallest < parts * 1800) throw new Error(`a log of ${smallest} bytes is not whole`)
  return {
    log_mb: rounded(smallest / 1e6),
    logs: sizes.length,
    p99_ms: rounded(p99_ms),
    grown_mb: await watch(),
  }
}

/** All readers take a first part, and no more for three seconds. */
async function stall(child: Child, headers: Headers) {
  const watch = watchMemory(child)
  const open = await Promise.all(Array.from({ length: readers }, () => openLog(child, headers)))
  for (const response of open) response.once('readable', () => response.read())
  await pause(3000)
  const grown_mb = await watch()
  for (const response of open) response.destroy()
  return { grown_mb }
}

function openLog({ url }: Child, headers: Headers): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(
      new URL(`/jobs/${log}/log`, url),
      { agent: false, headers: { accept: 'text/plain', ...headers } },
      (response) => {
        if (response.statusCode === 200) resolve(response)
        else reject(new Error(`the log was answered with ${response.statusCode}`))
      },
    ).once('error', reject)
  })
}

async function sizeOf(response: AsyncIterable<Buffer>): Promise<number> {
  let size = 0
  for await (const chunk of response) size += chunk.length
  return size
}

/** Watches the memory of the service; the function ends that and returns by how many MB it grew. */
function watchMemory(child: Child): () => Promise<number> {
  const ended = new AbortController()
  const most = (async () => {
    const rest = await child.asks<number>('rss')
    let peak = rest
    while (!ended.signal.aborted) {
      peak = Math.max(peak, await child.asks<number>('rss'))
      await pause(50)
    }
    return rounded((peak - rest) / 1e6)
  })()
  return () => {
    ended.abort()
    return most
  }
}
