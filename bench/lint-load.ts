// Whether one address can make others wait by what it has the linter read: latencies of a page and
// of webhooks while it posts the worst bodies that are known, as fast as it is allowed.
//
// The anchor is the same service while no one else calls. Reported is the worse of the two p99.
import { setTimeout as pause } from 'node:timers/promises'
import { type Bench, benchmark } from './harness/benchmark.ts'
import { type Child, startChild } from './harness/child.ts'
import type { Comparison } from './harness/compare.ts'
import { type Connection, openConnection } from './harness/connection.ts'
import { hostileFiles, mostBytes } from './harness/hostile-files.ts'
import { delivery, pushBody, secret } from './harness/push.ts'
import { median, percentile, rounded } from './harness/statistics.ts'

/** Longer than a thread stays without work. */
const rest = 40_000

const bodies = Object.values(hostileFiles)
  .filter(({ full }) => full === mostBytes)
  .map(({ full, make }) => request('PUT /lint?advice=true', make(full)))
const home = request('GET /')

function request(line: string, body = ''): Buffer {
  const head = `${line} HTTP/1.1\r\nhost: ci.example.org\r\ncontent-length: ${Buffer.byteLength(body)}`
  return Buffer.from(`${head}\r\n\r\n${body}`)
}

interface Side {
  child: Child
  page: Connection
  intake: Connection
  attacker: Connection
}

interface Latencies {
  page: number
  webhook: number
}

/** What the attacker got, and the most memory that the service had after an answer. */
interface Seen {
  answers: Map<number, number>
  megabytes: number
}

let count = 0

await benchmark({ bench: 'lint-load', goal: 5, better: 'lower', noise: 0.15 }, async (bench) => {
  const side = await openSide(bench)
  const { quick } = bench.plan
  const [ms, pairs] = quick ? [1500, 2] : [4000, 6]
  await latenciesIn(side, ms)
  const before = await side.child.asks<number>('megabytes')
  const seen: Seen = { answers: new Map(), megabytes: before }
  const measured: { calm: Latencies; again: Latencies; loaded: Latencies }[] = []
  while (measured.length < pairs) {
    const calm = await latenciesIn(side, ms)
    const again = await latenciesIn(side, ms)
    const loaded = await attack(side, seen, () => latenciesIn(side, ms))
    measured.push({ calm, again, loaded })
  }
  if (!quick) await pause(rest)
  const ratiosOf = (of: keyof Latencies, to: 'again' | 'loaded') =>
    measured.map((each) => each[to][of] / each.calm[of])
  const worse = median(ratiosOf('page', 'loaded')) > median(ratiosOf('webhook', 'loaded'))
  const of = worse ? 'page' : 'webhook'
  const ratios = ratiosOf(of, 'loaded')
  const comparison: Comparison = {
    ratio: median(ratios),
    aa: median(ratiosOf(of, 'again')),
    p10: percentile(ratios, 0.1),
    p90: percentile(ratios, 0.9),
  }
  const p99 = (of: keyof Latencies, to: 'calm' | 'loaded') =>
    rounded(median(measured.map((each) => each[to][of])), 1)
  const further = {
    page_ms: [p99('page', 'calm'), p99('page', 'loaded')],
    webhook_ms: [p99('webhook', 'calm'), p99('webhook', 'loaded')],
    answers: Object.fromEntries(seen.answers),
    megabytes: {
      before: rounded(before, 0),
      most: rounded(seen.megabytes, 0),
      ...(quick ? {} : { after: rounded(await side.child.asks<number>('megabytes'), 0) }),
    },
  }
  return { comparison, further }
})

async function openSide({ place, databases }: Bench): Promise<Side> {
  const DATABASE_URL = await databases.create('candidate')
  const child = place.keep(
    await startChild(place, 'candidates/lint-load.ts', {
      DATABASE_URL,
      DATA_DIR: place.folder('data'),
      WEBHOOK_SECRET: secret,
      PORT: '0',
      ROLE: 'web',
    }),
  )
  const connect = async () => place.keep(await openConnection(child.url))
  return { child, page: await connect(), intake: await connect(), attacker: await connect() }
}

/** 99 of 100 calls take no longer, of those made one after the other in some time. */
async function latenciesIn({ page, intake }: Side, ms: number): Promise<Latencies> {
  const [pages, webhooks] = await Promise.all([
    latencies(page, ms, () => home),
    latencies(intake, ms, () => delivery(`load-${(count += 1)}`, pushBody(count)).bytes),
  ])
  return { page: percentile(pages, 0.99), webhook: percentile(webhooks, 0.99) }
}

async function latencies(connection: Connection, ms: number, next: () => Buffer) {
  const taken: number[] = []
  for (const until = performance.now() + ms; performance.now() < until; await pause(5)) {
    const bytes = next()
    const sent = performance.now()
    await connection.ask(bytes)
    taken.push(performance.now() - sent)
  }
  return taken
}

/** Posts one worst body after the other while something else is measured. */
async function attack<T>(
  { attacker, child }: Side,
  seen: Seen,
  work: () => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  async function post(): Promise<void> {
    for (let index = 0; !ending.signal.aborted; index += 1) {
      const status = await attacker.ask(bodies[index % bodies.length] ?? home)
      seen.answers.set(status, (seen.answers.get(status) ?? 0) + 1)
      seen.megabytes = Math.max(seen.megabytes, await child.asks<number>('megabytes'))
      // Anyone who is refused asks again, though not in a way that is load by itself.
      if (status === 429) await pause(100)
    }
  }
  const posting = post()
  const result = await work()
  ending.abort()
  await posting
  return result
}
