// What a service costs while nothing happens: the figure is how many statements a second the whole
// of it in one process, all roles, sends to PostgreSQL; `cpu_percent` is what Node takes of one
// processor meanwhile. Besides: how long the first job of a push takes after such a rest, against pushes
// that come one after the other (`first_job`).
import { setTimeout as pause } from 'node:timers/promises'
import { benchmark, type Bench } from './harness/benchmark.ts'
import { openChain } from './harness/chain.ts'
import { startChild } from './harness/child.ts'
import { subline } from './harness/line.ts'
import { secret } from './harness/push.ts'
import { withRedis } from './harness/redis.ts'
import { rounded } from './harness/statistics.ts'

const goal = { goal: 1, better: 'lower', noise: 0.15 } as const
const goalOfProcessor = { goal: 0.1, better: 'lower', noise: 0.15 } as const

/** Milliseconds until what a start entails is over, of the rest that is measured, and before a push. */
const settled = 30_000
const rest = 120_000
const beforePush = 20_000

type Queue = { REDIS_URL?: string }

await benchmark({ bench: 'at-rest', ...goal }, async (bench) => {
  const { comparison, further } = await measure(bench, 'rest', {})
  const redis = await withRedis(bench, async (url) => {
    const measured = await measure(bench, 'rest_redis', { REDIS_URL: url })
    return { ...subline(goal, measured.comparison), ...measured.further }
  })
  return { comparison, further: { ...further, redis, first_job: await measureFirstJob(bench) } }
})

async function measure({ place, databases, plan }: Bench, name: string, queue: Queue) {
  const database = await databases.create(name)
  const settings = { DATABASE_URL: database, WEBHOOK_SECRET: secret, PORT: '0', ...queue }
  const child = place.keep(
    await startChild(place, 'candidates/webhook-intake.ts', {
      ...settings,
      DATA_DIR: place.folder(`data-${name}`),
    }),
  )
  await pause(plan.quick ? settled / 10 : settled)
  const before = { statements: await child.asks<number>('statements'), cpu: await processorOf() }
  const begun = performance.now()
  await pause(plan.quick ? rest / 10 : rest)
  const statements = (await child.asks<number>('statements')) - before.statements
  const cpu = (await processorOf()) - before.cpu
  const seconds = (performance.now() - begun) / 1000
  await child.close()
  const percent = (100 * cpu) / seconds
  return {
    comparison: alone(statements / seconds),
    further: { seconds: rounded(seconds), cpu_percent: subline(goalOfProcessor, alone(percent)) },
  }

  async function processorOf(): Promise<number> {
    return child.asks<number>('cpu')
  }
}

function alone(ratio: number) {
  return { ratio, p10: ratio, p90: ratio, aa: 1 }
}

/** How long pushes take that come one after the other, and such as come after a rest. */
async function measureFirstJob({ place, databases, plan }: Bench) {
  const chain = await openChain(place, 'candidates/first-job-start.ts', {
    DATABASE_URL: await databases.create('rested'),
    DATA_DIR: place.folder('data-rested'),
    WEBHOOK_SECRET: secret,
    PORT: '0',
  })
  await chain.set({ jobs: 4, delay: 0 })
  await chain.window({ ...plan, window: plan.window * 10 })()
  chain.figures()
  await chain.window({ ...plan, window: plan.window * 5 })()
  const busy = chain.figures()
  for (let pushes = 0; pushes < (plan.quick ? 2 : 6); pushes++) {
    await pause(plan.quick ? beforePush / 10 : beforePush)
    await chain.window({ ...plan, window: 0, events: 1 })()
  }
  return { busy, rested: chain.figures() }
}
