import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { final, unfinished } from '../domain/job/job.ts'
import { isSameSecret } from '../secrets/signature.ts'
import { unfinishedJobs } from '../store/jobs/jobs.ts'
import { liveRunners } from '../store/jobs/runners.ts'
import {
  measuredLags,
  measuredLogs,
  measuredRuns,
  noticeQueueUsage,
} from '../store/live/measured.ts'
import type { HttpContext, MetricsSource, ReadMetrics } from './core/context.ts'

/** Milliseconds for which collected values are kept: no scrape starts queries without limit. */
const keptFor = 5000

const prefix = 'build_service'

/** Seconds, up to two hours. */
const durations = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200]
const waits = [0.1, 0.5, ...durations]

interface MetricsOptions {
  /** Null where everyone who reaches the server can read them. */
  token: string | null
  read: ReadMetrics
}

/** `/metrics` for Prometheus. Without the token it looks as if it were not there. */
export const metrics: FastifyPluginAsync<MetricsOptions> = async (scope, { token, read }) => {
  scope.get('/metrics', async (request, reply) => {
    const { authorization = '' } = request.headers
    const isAllowed = token === null || isSameSecret(`Bearer ${token}`, authorization)
    if (!isAllowed) return reply.callNotFound()
    return reply
      .header('cache-control', 'no-store')
      .type(Registry.PROMETHEUS_CONTENT_TYPE)
      .send(await read())
  })
}

/** A server that shows the metrics to everyone who reaches it, and nothing else. */
export async function createMetricsServer(read: ReadMetrics): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(metrics, { token: null, read })
  return app
}

type Measured = Pick<HttpContext, 'db' | 'site' | 'queueCounts'>

/** The metrics of this process, for all who read them: what is counted between two readings counts once. */
export function metricsOf(ctx: Measured, source: MetricsSource): ReadMetrics {
  const collect = createMetrics(ctx, source)
  let kept: { at: number; text: Promise<string> } | undefined
  return () => {
    if (kept && performance.now() - kept.at <= keptFor) return kept.text
    const text = collect()
    kept = { at: performance.now(), text }
    text.catch(() => {
      kept = undefined
    })
    return text
  }
}

/** No label has a user-defined value, because the number of such values is unlimited. */
function createMetrics({ db, site, queueCounts }: Measured, source: MetricsSource) {
  const registry = new Registry()
  const registers = [registry]
  const gauge = <const T extends string>(
    name: string,
    help: string,
    labelNames: readonly T[] = [],
  ) => new Gauge({ name: `${prefix}_${name}`, help, labelNames, registers })
  gauge('info', 'The version of the service.', ['version']).set({ version: site.version }, 1)
  const jobs = gauge('jobs', 'Unfinished jobs of the installation.', ['state'])
  const waiting = gauge(
    'oldest_waiting_job_seconds',
    'Time since the oldest queued job was queued.',
  )
  const lags = gauge(
    'oldest_waiting_seconds',
    'Time for which the oldest webhook, or report to the code host, has waited.',
    ['work'],
  )
  const ran = new Histogram({
    name: `${prefix}_job_duration_seconds`,
    help: 'How long jobs ran that ended since this process started.',
    labelNames: ['state'],
    buckets: durations,
    registers,
  })
  const waited = new Histogram({
    name: `${prefix}_job_wait_seconds`,
    help: 'How long jobs waited for a runner that ended since this process started.',
    buckets: waits,
    registers,
  })
  for (const state of final) ran.zero({ state })
  const entries = gauge('queue_entries', 'Entries of the queues.', ['queue', 'state'])
  const logs = gauge('log_bytes', 'Size of the stored logs of the installation.', ['place'])
  const notices = gauge(
    'notice_queue_ratio',
    'Used share of the queue for notices in PostgreSQL; once it is full, changes fail.',
  )
  const runners = gauge('runners', 'Runners that are alive.', ['able'])
  const connections = gauge('stream_connections', 'Connections for live events to this process.')
  const messages = new Counter({
    name: `${prefix}_stream_messages_total`,
    help: 'Messages that this process has sent on those connections.',
    registers,
  })
  let counted = 0

  return async () => {
    const [open, queues, alive, lag, logged, noticed, runs] = await Promise.all([
      unfinishedJobs(db),
      queueCounts(),
      liveRunners(db),
      measuredLags(db),
      measuredLogs(db),
      noticeQueueUsage(db),
      measuredRuns(db, source.takeEnded()),
    ])
    lags.set({ work: 'delivery' }, lag.delivery)
    lags.set({ work: 'status' }, lag.status)
    notices.set(noticed)
    logs.set({ place: 'database' }, logged.parts)
    logs.set({ place: 'objects' }, logged.objects)
    for (const run of runs) {
      if (run.ran !== null) ran.observe({ state: run.state }, run.ran)
      if (run.waited !== null) waited.observe(run.waited)
    }
    for (const state of unfinished) jobs.set({ state }, open.counts.get(state) ?? 0)
    waiting.set(open.oldest_seconds)
    for (const { name: queue, ...counts } of queues) {
      for (const [state, count] of Object.entries(counts)) entries.set({ queue, state }, count)
    }
    const able = alive.filter(({ problem }) => problem === null).length
    runners.set({ able: 'true' }, able)
    runners.set({ able: 'false' }, alive.length - able)
    const stream = source.stream()
    connections.set(stream.connections)
    messages.inc(stream.messages - counted)
    counted = stream.messages
    return registry.metrics()
  }
}
