// How many webhooks a second are taken in: signed pushes of 8 KB over 32 connections, each with a
// delivery id of its own. A code host waits some seconds for a response and does not retry, so
// what gets none while a thousand repositories push at once is lost.
//
// The anchor is a Fastify server that checks the signature, parses the body, and inserts one row
// before it responds. The candidate is the real service, role `web`, with all that it does; with its
// queue in PostgreSQL, and in Redis.
import { benchmark, type Bench } from './harness/benchmark.ts'
import { compare } from './harness/compare.ts'
import { run } from './harness/databases.ts'
import { figuresOf, fresh, type Intake, openIntake, shot } from './harness/intake.ts'
import { subline } from './harness/line.ts'
import type { Plan } from './harness/plan.ts'
import { withRedis } from './harness/redis.ts'
import { median, rounded } from './harness/statistics.ts'

const repeats = 1000

const goal = { goal: 0.95, better: 'higher', noise: 0.15 } as const

await benchmark({ bench: 'webhook-intake', ...goal }, async (bench) => {
  const candidate = await openIntake(bench, 'candidate')
  const anchor = await openIntake(bench, 'anchor')
  const comparison = await compareIntakes(candidate, anchor, bench.plan)
  const further = {
    floor: 0.7,
    moonshot: 1.25,
    candidate: await figuresOf(candidate),
    anchor: await figuresOf(anchor),
    ...(await tryHard(candidate, bench.plan)),
    redis: await withRedis(bench, (url) => measureRedis(bench, anchor, url)),
  }
  return { comparison, further }
})

function compareIntakes(candidate: Intake, anchor: Intake, plan: Plan) {
  const window = (intake: Intake) => () => intake.fire({ next: fresh, ms: plan.window })
  return compare({ candidate: window(candidate), anchor: window(anchor) }, plan)
}

async function measureRedis(bench: Bench, anchor: Intake, url: string) {
  const candidate = await openIntake(bench, 'candidate', { name: 'redis', REDIS_URL: url })
  const plan = { ...bench.plan, pairs: Math.min(bench.plan.pairs, 12) }
  const comparison = await compareIntakes(candidate, anchor, plan)
  return {
    ...subline(goal, comparison),
    candidate: await figuresOf(candidate),
    ...(await tryHard(candidate, bench.plan)),
  }
}

/** What must hold under load; the service is gone afterwards. */
async function tryHard(intake: Intake, { quick }: Plan) {
  return { repeated: await fireRepeats(intake, quick ? 2 : 6), killed: await killUnderLoad(intake) }
}

/** One delivery id sent a thousand times, in turns with a thousand different ones. */
async function fireRepeats(intake: Intake, rounds: number) {
  const ratios: number[] = []
  const ids: string[] = []
  const again = () => {
    const id = `again-${ids.length}`
    ids.push(id)
    return intake.fire({ next: () => shot(id), count: repeats })
  }
  const different = () => intake.fire({ next: fresh, count: repeats })
  for (let round = 0; round < rounds; round++) {
    const first = await different()
    ratios.push((await again()) / first)
    const second = await again()
    ratios.push(second / (await different()))
  }
  const [row] = await run<{ rows: number }>(
    intake.database,
    'select count(*)::int as rows from deliveries where guid = any ($1)',
    [ids],
  )
  return { ratio: rounded(median(ratios)), ids: ids.length, rows: row?.rows }
}

/** Ends the service in the middle of a load, as a crash would; nothing that got a response may be lost. */
async function killUnderLoad({ child, load, database }: Intake) {
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
