import type { Server } from 'node:http'
import { type Channels, openChannels } from '../../channels/open-channels.ts'
import { createCollector } from '../../channels/pieces.ts'
import { createPublisherApi } from '../../channels/publish-api.ts'
import type { Config } from '../../config/config.ts'
import { isFinished } from '../../domain/job/job.ts'
import { stillListenable } from '../../flow/live/listening-rights.ts'
import { createPublishing } from '../../flow/live/publish-notices.ts'
import { callerNetwork } from '../../http/core/caller-address.ts'
import type { HttpContext, MetricsSource, Streaming } from '../../http/core/context.ts'
import { withoutPrefix } from '../../http/core/normalize-url.ts'
import { prefixOf } from '../../http/core/prefix.ts'
import type { StreamingApp } from '../../secrets/streaming-signature.ts'
import { listenForNotices } from '../../store/live/listen.ts'
import type { EndedRun } from '../../store/live/measured.ts'
import {
  type Notice,
  sendNotice,
  sendNotices,
  type SocketViewer,
} from '../../store/live/notices.ts'
import { openPublisher } from '../../streaming/open-publisher.ts'
import type { Store } from './open-store.ts'

export interface Live {
  /** Absent if no one can read metrics. */
  metrics?: MetricsSource
  /** Absent in a process that serves no HTTP. */
  streaming?: Streaming
  /** The embedded service, if there is one. */
  channels?: Channels
  /** Whether a client follows the log of a job, in this process or another one. */
  isWatched(jobId: number): boolean
  /** Serves the sockets of this HTTP server. */
  serve(server: Server): void
  close(): Promise<void>
}

/** Milliseconds for which a log counts as followed after a web process reported that. */
const watchedFor = 60_000

/** Ended runs that are kept until metrics are read. */
const mostEnded = 10_000

/**
 * Number of the lock that is held by the one process that publishes to another streaming service.
 */
const publisherLock = 7_230_912

/** Starts listening for notices of other processes, and publishing them as live events. */
export async function openLive(
  ctx: HttpContext,
  config: Config,
  { connection }: Pick<Store, 'connection'>,
): Promise<Live> {
  const { db, log, now, sealer } = ctx
  const isWeb = config.roles.includes('web')
  const app: StreamingApp = {
    id: config.streamingAppId ?? 'build-service',
    key: config.streamingKey ?? sealer.derive('streaming key').slice(0, 20),
    secret: config.streamingSecret ?? sealer.derive('streaming secret'),
  }
  const { streamingUrl, metricsToken, metricsAddress } = config
  const isMeasured = metricsToken !== undefined || metricsAddress !== undefined
  const stream = () => channels?.counts() ?? { connections: 0, messages: 0 }
  const channels = isWeb && streamingUrl === undefined ? channelsFor(ctx, app) : undefined
  const outside =
    isWeb && streamingUrl !== undefined ? openPublisher({ app, url: streamingUrl, log }) : undefined
  const audience = channels ?? outside?.audience
  const publishing =
    audience && createPublishing({ db, log, now, publicMode: isOpen(ctx), audience })
  const watched = new Map<number, number>()
  const collect = createCollector()
  const ended: EndedRun[] = []

  function take(notice: Notice): void {
    publishing?.take(notice)
    if (notice.kind === 'jobs' && isMeasured) keepEnded(notice.jobs)
    if (notice.kind === 'watched') watch(notice.job_id)
    if (!channels) return
    if (notice.kind === 'viewer') channels.addViewer(notice.socket_id, notice)
    if (notice.kind === 'rights') checkRights()
    if (notice.kind === 'piece') {
      const message = collect(notice)
      if (message) channels.publish(message)
    }
  }

  function keepEnded(jobs: Extract<Notice, { kind: 'jobs' }>['jobs']): void {
    for (const [job_id, attempt, state] of jobs) {
      if (isFinished({ state }) && ended.length < mostEnded) ended.push({ job_id, attempt })
    }
  }

  function watch(jobId: number): void {
    watched.delete(jobId)
    watched.set(jobId, performance.now())
    for (const [oldest, at] of watched) {
      if (performance.now() - at < watchedFor) break
      watched.delete(oldest)
    }
  }

  function checkRights(): void {
    channels?.checkRights().catch((error: unknown) => {
      log.warn({ err: error }, 'the rights of listening clients could not be checked')
    })
  }

  const listening = listenForNotices(connection, {
    take,
    resumed() {
      publishing?.resume()
      checkRights()
    },
    failed: (error) => log.warn({ err: error }, 'live events are late until notices come again'),
    ...(outside ? { lock: { number: publisherLock, leads: outside.lead } } : {}),
  })
  await listening.begun
  return {
    ...(isWeb ? { streaming: streamingOf(ctx, app, { channels, url: streamingUrl }) } : {}),
    ...(channels ? { channels } : {}),
    ...(isMeasured ? { metrics: { stream, takeEnded: () => ended.splice(0) } } : {}),
    isWatched: (jobId) => performance.now() - (watched.get(jobId) ?? -watchedFor) < watchedFor,
    serve: (server) => channels?.serve(server),
    async close() {
      await Promise.all([channels?.close(), outside?.close()])
      await listening.close()
    },
  }
}

/** Whether anyone can see public records without a login. */
const isOpen = ({ site }: HttpContext) => site.publicMode && !site.forceAuthentication

function channelsFor(ctx: HttpContext, app: StreamingApp): Channels {
  const { site } = ctx
  const isOpenTo = ({ user_id }: SocketViewer) => (user_id === null ? isOpen(ctx) : site.publicMode)
  return openChannels({
    app,
    pathOf: (request) => withoutPrefix(request.url ?? '/', prefixOf(site, request)),
    addressOf: (request) => callerNetwork(site.trustProxy, request),
    stillListenable: (viewer, channels) =>
      stillListenable(ctx, { ...viewer, closed: viewer.closed || !isOpenTo(viewer) }, channels),
  })
}

function streamingOf(
  { db, now }: HttpContext,
  app: StreamingApp,
  { channels, url }: { channels: Channels | undefined; url: string | undefined },
): Streaming {
  if (!channels) return { app, url, signedFor: async () => {} }
  const { count, occupied } = channels
  return {
    app,
    signedFor: (socket_id, viewer) => sendNotice(db, { kind: 'viewer', socket_id, ...viewer }),
    publisher: createPublisherApi({
      app,
      now,
      count,
      occupied,
      send: (notices) => sendNotices(db, notices),
    }),
  }
}
