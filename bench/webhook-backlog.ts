// Whether webhooks are taken in as fast while 100,000 wait as when none do, because no worker is there
// say. The figure is the rate of the last 10,000 divided by that of the first 10,000. Besides: what the
// tables of the queue and of PostgreSQL's own catalogue grew by, and how much memory a worker takes that
// begins with all of these.
//
// There is no other program: the anchor is the real service, with nothing waiting.
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { startProcess } from '../test/support/service-process.ts'
import { benchmark, type Bench } from './harness/benchmark.ts'
import { run } from './harness/databases.ts'
import { fresh, type Intake, openIntake } from './harness/intake.ts'
import { subline } from './harness/line.ts'
import { secret } from './harness/push.ts'
import { withRedis } from './harness/redis.ts'
import { median, rounded } from './harness/statistics.ts'

const goal = { goal: 0.8, better: 'higher', noise: 0.15 } as const

/** Deliveries of one window, windows that are compared, and windows in all. */
const size = 1000
const compared = 10
const all = 100

/** Seconds that the memory of a worker is watched. */
const watched = 30

await benchmark({ bench: 'webhook-backlog', ...goal }, async (bench) => {
  const { comparison, further } = await measure(bench, 'backlog', {})
  const redis = await withRedis(bench, async (url) => {
    const measured = await measure(bench, 'backlog_redis', { REDIS_URL: url })
    return { ...subline(goal, measured.comparison), ...measured.further }
  })
  return { comparison, further: { ...further, redis } }
})

async function measure(bench: Bench, name: string, queue: { REDIS_URL?: string }) {
  const intake = await openIntake(bench, 'candidate', { name, ...queue })
  await fire(intake, 2)
  const first = median(await fire(intake, compared))
  const before = await sizesOf(intake)
  const windows = bench.plan.quick ? 3 * compared : all
  await fire(intake, windows - 2 * compared - 2)
  const last = median(await fire(intake, compared))
  const after = await sizesOf(intake)
  const ratio = last / first
  return {
    comparison: { ratio, p10: ratio, p90: ratio, aa: 1 },
    further: {
      first_per_second: Math.round(first),
      last_per_second: Math.round(last),
      grown_mb: {
        catalogue: rounded(after.catalogue - before.catalogue),
        queue: rounded(after.queue - before.queue),
      },
      worker: await watchWorker(bench, intake, name, queue),
    },
  }
}

async function fire(intake: Intake, windows: number): Promise<number[]> {
  const rates: number[] = []
  while (rates.length < windows) rates.push(await intake.fire({ next: fresh, count: size }))
  return rates
}

/** Megabytes of PostgreSQL's catalogue, and of the tables of the queue. */
async function sizesOf({ database }: Intake): Promise<{ catalogue: number; queue: number }> {
  const sizeOf = async (schema: string) => {
    const [row] = await run<{ size: number }>(
      database,
      `select coalesce(sum(pg_total_relation_size(oid)), 0)::float8 / 1e6 as size
       from pg_class where relkind = 'r' and relnamespace = to_regnamespace($1)`,
      [schema],
    )
    return row?.size ?? 0
  }
  return { catalogue: await sizeOf('pg_catalog'), queue: await sizeOf('bullmq') }
}

/**
 * A worker that finds all these deliveries: its memory while it processes them, and how many it did. It
 * is started without what translates the sources of benchmarks, which takes a hundred megabytes.
 */
async function watchWorker(
  { place, plan }: Bench,
  { database, child: intake }: Intake,
  name: string,
  queue: { REDIS_URL?: string },
) {
  // The folder, with the key in it, belongs to one process at a time.
  await intake.close()
  const { child, stop } = await startProcess({
    ...{ DATABASE_URL: database, WEBHOOK_SECRET: secret, ...queue },
    ...{ DATA_DIR: place.folder(`data-${name}`), ROLE: 'web,worker' },
  })
  place.keep({ close: stop })
  let most = 0
  const until = performance.now() + (plan.quick ? watched / 10 : watched) * 1000
  while (performance.now() < until) {
    most = Math.max(most, memoryOf(child.pid))
    await pause(200)
  }
  const [row] = await run<{ left: number; processed: number }>(
    database,
    `select count(*) filter (where state = 'received')::int as left,
       count(*) filter (where state <> 'received')::int as processed from deliveries`,
  )
  return { rss_mb: rounded(most / 1e6), ...row }
}

/** The resident memory of a process, in bytes. */
function memoryOf(pid = 0): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
}
