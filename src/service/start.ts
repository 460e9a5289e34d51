import type { Logger } from 'pino'
import { createReceiver } from '../bot/receiver.ts'
import { createLocalCodehost, type LocalCodehost } from '../codehost/local/local-codehost.ts'
import type { Config, ServiceRole } from '../config/config.ts'
import type { SetupError } from '../domain/errors.ts'
import type { Context } from '../flow/context.ts'
import { sweep } from '../flow/sweep.ts'
import type { HttpContext } from '../http/context.ts'
import { listen } from '../http/listen.ts'
import { createServer } from '../http/server.ts'
import { connectQueues, type QueueConnection } from '../queue/connection.ts'
import { openQueues, type Queues } from '../queue/queue.ts'
import { openReader } from '../reader/open-reader.ts'
import type { Probe } from '../runner/executor.ts'
import { tasks } from '../worker/schedule.ts'
import { processorsOf, startWorkers, type WrapHop } from '../worker/worker.ts'
import { type Closing, closingStack } from './closing.ts'
import { createContext, setPort } from './contexts.ts'
import { openApp } from './open-app.ts'
import { openRunner } from './open-runner.ts'
import { openStore, type Store } from './open-store.ts'
import { localDatabase } from './local-database.ts'
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
  /** How jobs are isolated; absent where this process runs none. */
  probe: Probe | undefined
  /** Takes no new work, releases running jobs, and closes everything in reverse order. */
  stop(): Promise<void>
}

export interface StartOptions {
  log: Logger
  /** Wraps each hop of a push, for tests. */
  wrapHop?: WrapHop
  /** Uses a free port where that of the settings is in use. */
  orFreePort?: boolean
}

/** Builds the service from the bottom up, for the roles that its settings name. */
export async function startService(
  config: Config,
  { log, wrapHop = (_hop, work) => work(), orFreePort = false }: StartOptions,
): Promise<Service> {
  if (config.roles.includes('web')) await refuseSecond(config.dataDir)
  const closing = closingStack()
  try {
    const store = await openStore(config, log)
    closing.add(store.close)
    return await build({ config, log, wrapHop, orFreePort, store, closing })
  } catch (error) {
    await closing.close()
    throw error
  }
}

interface ServiceParts extends Required<StartOptions> {
  config: Config
  store: Store
  closing: Closing
}

async function build(parts: ServiceParts): Promise<Service> {
  const { config, log, wrapHop, store, closing } = parts
  const { roles } = config
  const { connection, queues } = await openAllQueues(config, store, log, closing)
  const local = createLocalCodehost({ db: localDatabase(store.db) })
  const { probot, codehost } = await openApp(config, log)
  const codehosts = { local, ...(codehost ? { codehost } : {}) }
  const reader = openReader({
    onError: (error) => log.warn({ err: error }, 'a thread that reads build files ended'),
  })
  closing.add(reader.close)
  const ctx = createContext({ config, store, queues, codehosts, log, reader, wrapHop })

  const runner = roles.includes('runner') ? await openRunner(ctx, config) : undefined
  if (runner) closing.add(runner.close)
  const port = roles.includes('web') ? await openWeb(ctx, parts) : config.port

  const receive = createReceiver(ctx, probot)
  const tools = { ctx, receive, ...(runner ? { runner: runner.tools } : {}) }
  const workers = startWorkers(connection, roles, tools, wrapHop)
  closing.add(() => {
    runner?.stop()
    return workers.close()
  })
  await startSchedule(roles, ctx, queues)
  return {
    queues,
    local,
    ctx,
    url: ctx.site.url,
    localUrl: localUrlOf(config, port, ctx.site),
    probe: runner?.probe,
    stop: closing.close,
  }
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
  const queues = openQueues(connection, onError)
  closing.add(queues.close)
  return { connection, queues }
}

async function openWeb(
  ctx: HttpContext,
  { config, closing, orFreePort }: ServiceParts,
): Promise<number> {
  const server = await createServer(ctx)
  closing.add(() => server.close())
  const port = await listen(server, config).catch((error: SetupError) => {
    const { code } = error.cause as NodeJS.ErrnoException
    if (!orFreePort || code !== 'EADDRINUSE') throw error
    return listen(server, { ...config, port: 0 })
  })
  setPort(ctx, config, port)
  closing.add(await storeRunning(config.dataDir, localUrlOf(config, port, ctx.site)))
  return port
}

/** Enqueues all that waits, and starts the repeated tasks. */
async function startSchedule(
  roles: readonly ServiceRole[],
  ctx: Context,
  queues: Queues,
): Promise<void> {
  if (!roles.includes('worker')) return
  await sweep(ctx, 0)
  for (const [task, { every }] of Object.entries(tasks)) {
    await queues.repeat('schedule.run', task, every, { task })
  }
  if (!ctx.codehosts.codehost) return
  await ctx.enqueue('schedule.run', { task: 'installations' }, { once: 'installations' })
}
