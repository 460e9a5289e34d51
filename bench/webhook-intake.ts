// How many webhooks a second are taken in: signed pushes of 8 KB over 32 connections, each with a
// delivery id of its own. A code host waits some seconds for a response and does not retry, so
// what gets none while a thousand repositories push at once is lost.
//
// The anchor is a Fastify server that checks the signature, parses the body, and inserts one row
// before it responds. The candidate is the real service, role `web`, with all that it does.
import { benchmark, type Bench } from './harness/benchmark.ts'
import { type Child, startChild } from './harness/child.ts'
import { compare } from './harness/compare.ts'
import { run } from './harness/databases.ts'
import { type Load, openLoad, type Outcome, type Volley } from './harness/load.ts'
import { delivery, pushBody, secret, sign } from './harness/push.ts'
import { median, percentile, rounded } from './harness/statistics.ts'

const connections = 32
const repeats = 1000

const bodies = Array.from({ length: 64 }, (_, number) => pushBody(number))
const signed = bodies.map((body) => ({ body, signature: sign(body) }))

let count = 0

interface Side {
  child: Child
  load: Load
  database: string
  /** A window of so much load; returns how many deliveries a second were stored. */
  fire(volley: Volley): Promise<number>
  stored: number
  latencies: number[]
  rates: number[]
  /** Milliseconds from the last response until all started work was done. */
  rests: number[]
}

await benchmark(
  { bench: 'webhook-intake', goal: 0.95, better: 'higher', noise: 0.15 },
  async (bench) => {
    const candidate = await openSide(bench, 'candidate')
    const anchor = await openSide(bench, 'anchor')
    const window = (side: Side) => () => side.fire({ next: fresh, ms: bench.plan.window })
    const comparison = await compare(
      { candidate: window(candidate), anchor: window(anchor) },
      bench.plan,
    )
    const further = {
      floor: 0.7,
      moonshot: 1.25,
      candidate: await figuresOf(candidate),
      anchor: await figuresOf(anchor),
      repeated: await fireRepeats(candidate, bench.plan.quick ? 2 : 6),
      killed: await killUnderLoad(candidate),
    }
    return { comparison, further }
  },
)

async function openSide({ place, databases }: Bench, name: 'candidate' | 'anchor'): Promise<Side> {
  const database = await databases.create(name)
  const settings = { DATABASE_URL: database, WEBHOOK_SECRET: secret }
  const service = { ...settings, DATA_DIR: place.folder('data'), PORT: '0', ROLE: 'web' }
  const child = place.keep(
    name === 'anchor'
      ? await startChild(place, 'anchors/webhook-intake.ts', settings)
      : await startChild(place, 'candidates/webhook-intake.ts', service),
  )
  const load = place.keep(await openLoad(child.url, connections))
  const side: Side = {
    child,
    load,
    database,
    stored: 0,
    latencies: [],
    rates: [],
    rests: [],
    async fire(volley) {
      const outcome = await load.fire(volley)
      const rest = name === 'anchor' ? 0 : await restOf(child)
      return note(side, outcome, rest)
    },
  }
  return side
}

/** Entries are added after the response; a rate that leaves work behind does not count. */
async function restOf(child: Child): Promise<number> {
  const begun = performance.now()
  await child.asks('rest')
  return performance.now() - begun
}

function note(side: Side, { stored, failures, latencies, seconds }: Outcome, rest: number): number {
  if (failures > 0) throw new Error(`${failures} deliveries were not answered with 204`)
  const rate = stored.length / (seconds + rest / 1000)
  side.stored += stored.length
  side.latencies.push(...latencies)
  side.rates.push(rate)
  side.rests.push(rest)
  return rate
}

/** A delivery with a new id. */
function fresh() {
  count += 1
  return shot(`fresh-${count}`)
}

function shot(id: string) {
  const { body, signature } = signed[count % signed.length] ?? { body: Buffer.alloc(0) }
  return delivery(id, body, signature)
}

async function figuresOf({ database, stored, latencies, rates, rests }: Side) {
  const [row] = await run<{ rows: number }>(
    database,
    'select count(*)::int as rows from deliveries',
  )
  return {
    per_second: Math.round(median(rates)),
    p50_ms: rounded(percentile(latencies, 0.5)),
    p99_ms: rounded(percentile(latencies, 0.99)),
    rest_ms: rounded(median(rests)),
    answers: stored,
    rows: row?.rows,
  }
}

/** One delivery id sent a thousand times, in turns with a thousand different ones. */
async function fireRepeats(side: Side, rounds: number) {
  const ratios: number[] = []
  const ids: string[] = []
  const again = () => {
    const id = `again-${ids.length}`
    ids.push(id)
    return side.fire({ next: () => shot(id), count: repeats })
  }
  const different = () => side.fire({ next: fresh, count: repeats })
  for (let round = 0; round < rounds; round++) {
    const first = await different()
    ratios.push((await again()) / first)
    const second = await again()
    ratios.push(second / (await different()))
  }
  const [row] = await run<{ rows: number }>(
    side.database,
    'select count(*)::int as rows from deliveries where guid = any ($1)',
    [ids],
  )
  return { ratio: rounded(median(ratios)), ids: ids.length, rows: row?.rows }
}

/** Ends the service in the middle of a load, as a crash would; nothing that got a response may be lost. */
async function killUnderLoad({ child, load, database }: Side) {
  const volley = load.fire({ next: fresh, ms: 10_000 })
  await new Promise((resolve) => setTimeout(resolve, 250))
  await child.kill()
  const { stored } = await volley
  const [row] = await run<{ rows: number }>(
    database,
    'select count(*)::int as rows from deliveries where guid = any ($1)',
    [stored],
  )
  return { answers: stored.length, lost: stored.length - (row?.rows ?? 0) }
}
