// How long it takes from a signed webhook until the first job of its build is started: the time that
// a user who has pushed waits before any machine is at work.
//
// The anchor is the minimal chain: one row and one entry; request, build and jobs in one transaction;
// one entry a job; one update that starts it. The candidate is the whole service in one process, with
// a runner whose machines start at once, and a code host that responds at once or after 100 ms.
import { type Bench, benchmark } from './harness/benchmark.ts'
import { type Chain, openChain } from './harness/chain.ts'
import { compare } from './harness/compare.ts'
import { subline } from './harness/line.ts'
import type { Plan } from './harness/plan.ts'
import { secret } from './harness/push.ts'
import { withRedis } from './harness/redis.ts'

const goals = { postgres: 3, redis: 5 }
const noise = 0.15

const few = { jobs: 4, delay: 0 }
const many = { jobs: 200, delay: 0 }
const slow = { jobs: 4, delay: 100 }

/** A service runs for weeks, but needs some dozen pushes until its code is compiled as well as it can be. */
const warmEvents = 60

interface Chains {
  candidate: Chain
  anchor: Chain
}

await benchmark(
  { bench: 'first-job-start', goal: goals.postgres, better: 'lower', noise },
  async (bench) => {
    const { plan } = bench
    const brief = { ...plan, pairs: 4, warmUp: Math.min(plan.warmUp, 4) }
    const chains = await openChains(bench, 'postgres', {})
    const { comparison, figures } = await measure(chains, few, plan)
    const further = {
      floor: 5,
      moonshot: 1.5,
      ...figures,
      jobs_200: shown(await measure(chains, many, brief), goals.postgres),
      codehost_100_ms: await measureSlow(chains.candidate, plan),
      redis: await withRedis(bench, (url) => measureRedis(bench, brief, url)),
    }
    return { comparison, further }
  },
)

async function openChains(
  { place, databases }: Bench,
  queue: string,
  settings: Readonly<Record<string, string>>,
): Promise<Chains> {
  const given = async (name: string) => ({
    ...settings,
    DATABASE_URL: await databases.create(`${name}_${queue}`),
    WEBHOOK_SECRET: secret,
  })
  // No job is held back, as the anchor holds none back.
  const service = { DATA_DIR: place.folder(`data-${queue}`), PORT: '0', OWNER_JOBS: '1000' }
  return {
    anchor: await openChain(place, 'anchors/first-job-start.ts', await given('anchor')),
    candidate: await openChain(place, 'candidates/first-job-start.ts', {
      ...(await given('candidate')),
      ...service,
    }),
  }
}

async function measure({ candidate, anchor }: Chains, how: typeof few, plan: Plan) {
  for (const chain of [candidate, anchor]) {
    await chain.set(how)
    await chain.window({ ...plan, window: 0, events: plan.quick ? plan.events : warmEvents })()
    chain.figures()
  }
  const comparison = await compare(
    { candidate: candidate.window(plan), anchor: anchor.window(plan) },
    plan,
  )
  return { comparison, figures: { candidate: candidate.figures(), anchor: anchor.figures() } }
}

type Measured = Awaited<ReturnType<typeof measure>>

/** A shorter comparison within the line of the long one. */
function shown({ comparison, figures }: Measured, goal: number) {
  return { ...subline({ goal, better: 'lower', noise }, comparison), ...figures }
}

async function measureSlow(candidate: Chain, plan: Plan) {
  await candidate.set(slow)
  await candidate.window({ ...plan, window: plan.window * 4 })()
  return candidate.figures()
}

async function measureRedis(bench: Bench, plan: Plan, url: string) {
  const chains = await openChains(bench, 'redis', { REDIS_URL: url })
  return {
    ...shown(await measure(chains, few, plan), goals.redis),
    jobs_200: shown(await measure(chains, many, plan), goals.redis),
  }
}
