import type { Logger } from 'pino'
import { createReceiver } from '../bot/receiver.ts'
import { createLocalCodehost, type LocalCodehost } from '../codehost/local/local-codehost.ts'
import type { Config } from '../config/config.ts'
import type { SetupError } from '../domain/errors.ts'
import type { Context } from '../flow/context.ts'
import type { HttpContext } from '../http/core/context.ts'
import { checkAddress, listen } from '../http/core/listen.ts'
import { createMetricsServer, metricsOf } from '../http/metrics.ts'
import { createServer } from '../http/server.ts'
import type { Resolve } from '../notify/guard.ts'
import { closeOrLeave } from '../queue/close-or-leave.ts'
import { connectQueues, type QueueConnection } from '../queue/connection.ts'
import { openQueues, type Queues } from '../queue/queue.ts'
import { openReader } from '../reader/open-reader.ts'
import type { Probe } from '../runner/executor.ts'
import { createNextHops } from '../worker/next-hops.ts'
import { startSchedule } from '../worker/schedule.ts'
import { processorsOf, startWorkers, type WrapHop } from '../worker/worker.ts'
import { createContext, setPort } from './contexts.ts'
import { databaseMark } from './database-mark.ts'
import { localChanges } from './local/local-changes.ts'
import { localDatabase } from './local/local-database.ts'
import { makeWritable } from './open/database-server.ts'
import { onDiskWithRoom } from './open/full-disk.ts'
import { openApp } from './open/open-app.ts'
import { type Live, openLive } from './open/open-live.ts'
import { openRunner, warnIfJobsWait } from './open/open-runner.ts'
import { openStore, type Store } from './open/open-store.ts'
import { withRegisteredApp } from './registration/registered-app.ts'
import { openRegistration, type OpenRegistration } from './registration/registration.ts'
import { openRelay } from './registration/webhook-relay.ts'
import { refuseSecond, storeRunning } from './running.ts'
import { localUrlOf } from './site.ts'

export interface Service {
  /** Address for users. */
  url: string
  /** Address for programs on this machine, past any proxy. */
  localUrl: string
  ctx: Context
  queues: Queues
  local: LocalCodehost
  /** Id of the app in use; undefined in local mode. */
  appId: string | undefined
  /** Code for registering an app, if the settings name none. */
  setupCode: string | undefined
  /** How jobs are isolated; absent if this process runs no jobs. */
  probe: Probe | undefined
  /** Resolves when the service cannot go on: its embedded database has died for good. */
  lost: Promise<SetupError>
  /** Takes no new work, releases running jobs, and closes everything in reverse order. */
  stop(): Promise<void>
}

export interface StartOptions {
  log: Logger
  /** Wraps each hop of a push, for tests. */
  wrapHop?: WrapHop
  /** Looks up the hosts of notifications, for tests. */
  resolve?: Resolve
  /** Called with lines about slow work at the start, such as a pull; the log otherwise. */
  say?: (line: string) => void
  /** Uses a free port if the port from the settings is in use. */
  orFreePort?: boolean
}

/** Builds the service from the bottom up, with the roles from its settings. */
export function startService(config: Config, options: StartOptions): Promise<Service> {
  return onDiskWithRoom(config, () => startWhole(config, options))
}

async function startWhole(
  config: Config,
  { log, wrapHop = (_hop, work) => work(), orFreePort = false, resolve, ...others }: StartOptions,
): Promise<Service> {
  await checkSettings(config, orFreePort)
  const closing = closingStack()
  try {
    const store = await openStore(config, log)
    closing.add(store.close)
    const settings = await withRegisteredApp(config, store)
    const { say = (line) => log.info(line) } = others
    return await build({ config: settings, log, say, wrapHop, orFreePort, resolve, store, closing })
  } catch (error) {
    await closing.close()
    throw error
  }
}

/** Checks everything that can be checked before anything is set up. */
async function checkSettings(config: Config, orFreePort: boolean): Promise<void> {
  await makeWritable(config.dataDir)
  if (!config.roles.includes('web')) return
  await refuseSecond(config.dataDir)
  if (!orFreePort) await checkAddress(config)
}

interface ServiceParts extends Required<Omit<StartOptions, 'resolve'>> {
  resolve: Resolve | undefined
  config: Config
  store: Store
  closing: Closing
}

async function build(parts: ServiceParts): Promise<Service> {
  const { config, log, say, wrapHop, resolve, store, closing } = parts
  const { roles } = config
  const { connection, queues } = await openAllQueues(config, store, log, closing)
  const local = createLocalCodehost({ db: localDatabase(store.db) })
  const { probot, codehost } = await openApp(config, log)
  const codehosts = { local, ...(codehost ? { codehost } : {}) }
  const reader = openReader({
    onError: (error) => log.warn({ err: error }, 'a thread that reads build files ended'),
  })
  closing.add(reader.close)
  const nextHops = createNextHops(queues, log)
  const world = { config, store, queues, hops: nextHops, codehosts, local, log, reader, wrapHop }
  const ctx = createContext({ ...world, ...(resolve ? { resolve } : {}) })
  const live = await openLive(ctx, config, store)
  closing.add(live.close)
  const registration =
    config.appId === undefined ? openRegistration({ config, ctx, codehosts, log }) : null
  if (registration) closing.add(registration.close)

  const runner = roles.includes('runner')
    ? await openRunner(ctx, config, { say, isWatched: live.isWatched })
    : undefined
  if (runner) {
    closing.add(runner.close)
    registration?.onUse((settings) => warnIfJobsWait(ctx, settings, runner.probe))
  }
  const port = roles.includes('web')
    ? await openWeb(offering(ctx, registration, live), local, live, parts)
    : config.port

  const receive = createReceiver(ctx, probot)
  const tools = { ctx, receive, ...(runner ? { runner: runner.tools } : {}) }
  const workers = await startWorkers(connection, roles, tools, { wrapHop, nextHops })
  closing.add(() => {
    runner?.stop()
    reader.stop()
    return workers.close()
  })
  if (roles.includes('worker')) {
    const schedule = await startSchedule(ctx)
    closing.add(() => closeOrLeave(connection, schedule.close))
  }
  return {
    queues,
    local,
    ctx,
    url: ctx.site.url,
    appId: config.appId,
    setupCode: registration?.registration.code,
    localUrl: localUrlOf(config, port, ctx.site),
    probe: runner?.probe,
    lost: store.lost,
    stop: closing.close,
  }
}

function offering(
  ctx: HttpContext,
  opened: OpenRegistration | null,
  { streaming }: Live,
): HttpContext {
  return Object.assign(
    ctx,
    streaming && { streaming },
    opened && { registration: opened.registration },
  )
}

/** Lets metrics be read: with a token from the server of the service, and without one at another address. */
async function openMetrics(
  ctx: HttpContext,
  { metrics }: Live,
  { config: { metricsToken: token, metricsAddress: address }, closing }: ServiceParts,
): Promise<void> {
  if (!metrics) return
  const read = metricsOf(ctx, metrics)
  if (token !== undefined) ctx.metrics = { token, read }
  if (address === undefined) return
  const server = await createMetricsServer(read)
  await listen(server, address, 'METRICS_ADDRESS')
  closing.add(() => server.close())
}

async function openAllQueues(
  { redisUrl, roles }: Config,
  { connection: database }: Store,
  log: Logger,
  closing: Closing,
): Promise<{ connection: QueueConnection; queues: Queues }> {
  const onError = (error: Error) => log.warn({ err: error }, 'queue error')
  const settings = { database, redisUrl, onError }
  const connection = await connectQueues(settings, processorsOf(roles).length)
  closing.add(connection.close)
  const queues = await openQueues(connection, onError)
  closing.add(queues.close)
  return { connection, queues }
}

async function openWeb(
  ctx: HttpContext,
  local: LocalCodehost,
  live: Live,
  parts: ServiceParts,
): Promise<number> {
  await openMetrics(ctx, live, parts)
  const { config, closing, orFreePort } = parts
  let url = ''
  const changes = localChanges(local, { sealer: ctx.sealer, url: () => url })
  const server = await createServer({ ...ctx, intake: { ...ctx.intake, changes } })
  live.serve(server.server)
  closing.add(() => server.close())
  // The server closes once its sockets are closed.
  closing.add(() => live.channels?.close())
  const port = await listen(server, config).catch((error: SetupError) => {
    const { code } = error.cause as NodeJS.ErrnoException
    if (!orFreePort || code !== 'EADDRINUSE') throw error
    return listen(server, { ...config, port: 0 })
  })
  setPort(ctx, config, port)
  url = localUrlOf(config, port, ctx.site)
  const { webhookProxyUrl: relay } = config
  if (relay !== undefined) {
    closing.add(openRelay({ relay, target: `${url}/webhooks/codehost`, log: ctx.log }).close)
  }
  closing.add(
    await storeRunning(config.dataDir, {
      url,
      token: changes.token,
      database: databaseMark(config),
    }),
  )
  return port
}

interface Closing {
  add(close: () => unknown): void
  /** Closes everything once, in reverse order of opening. */
  close(): Promise<void>
}

/** Collects functions that close something. If one of them fails, the others still run. */
function closingStack(): Closing {
  const closers: (() => unknown)[] = []
  return {
    add: (close) => void closers.push(close),
    async close() {
      const errors: unknown[] = []
      for (let close = closers.pop(); close; close = closers.pop()) {
        try {
          await close()
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
  }
}
