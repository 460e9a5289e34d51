import type { Bench } from './benchmark.ts'
import { type Child, startChild } from './child.ts'
import { run } from './databases.ts'
import { type Load, openLoad, type Outcome, type Shot, type Volley } from './load.ts'
import { delivery, pushBody, secret, sign } from './push.ts'
import { median, percentile, rounded } from './statistics.ts'

const connections = 32

const bodies = Array.from({ length: 64 }, (_, number) => pushBody(number))
const signed = bodies.map((body) => ({ body, signature: sign(body) }))

let count = 0

/** A server that takes signed pushes in, and what came of those that it was sent. */
export interface Intake {
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

/** Opens the real service with the role `web`, or the anchor, on a database of its own. */
export async function openIntake(
  { place, databases }: Bench,
  kind: 'candidate' | 'anchor',
  { name = kind, ...further }: { name?: string; REDIS_URL?: string } = {},
): Promise<Intake> {
  const database = await databases.create(name)
  const settings = { DATABASE_URL: database, WEBHOOK_SECRET: secret }
  const service = { ...settings, ...further, DATA_DIR: place.folder(`data-${name}`) }
  const child = place.keep(
    kind === 'anchor'
      ? await startChild(place, 'anchors/webhook-intake.ts', settings)
      : await startChild(place, 'candidates/webhook-intake.ts', {
          ...service,
          ...{ PORT: '0', ROLE: 'web' },
        }),
  )
  const load = place.keep(await openLoad(child.url, connections))
  const intake: Intake = {
    child,
    load,
    database,
    stored: 0,
    latencies: [],
    rates: [],
    rests: [],
    async fire(volley) {
      const outcome = await load.fire(volley)
      const rest = kind === 'anchor' ? 0 : await restOf(child)
      return note(intake, outcome, rest)
    },
  }
  return intake
}

/** Entries are added after the response; a rate that leaves work behind does not count. */
async function restOf(child: Child): Promise<number> {
  const begun = performance.now()
  await child.asks('rest')
  return performance.now() - begun
}

function note(
  intake: Intake,
  { stored, failures, latencies, seconds }: Outcome,
  rest: number,
): number {
  if (failures > 0) throw new Error(`${failures} deliveries were not answered with 204`)
  const rate = stored.length / (seconds + rest / 1000)
  intake.stored += stored.length
  intake.latencies.push(...latencies)
  intake.rates.push(rate)
  intake.rests.push(rest)
  return rate
}

/** A delivery with a new id. */
export function fresh(): Shot {
  count += 1
  return shot(`fresh-${count}`)
}

export function shot(id: string): Shot {
  const { body, signature } = signed[count % signed.length] ?? { body: Buffer.alloc(0) }
  return delivery(id, body, signature)
}

export async function figuresOf({ database, stored, latencies, rates, rests }: Intake) {
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
