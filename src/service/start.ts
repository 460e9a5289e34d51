import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Probot } from 'probot'
import { createReceiver } from '../bot/receiver.ts'
import { createLocalCodehost, type LocalCodehost } from '../codehost/local/local-codehost.ts'
import type { Config } from '../config/config.ts'
import { SetupError } from '../domain/errors.ts'
import { acceptDeliveries } from '../flow/accept-deliveries.ts'
import type { Context } from '../flow/context.ts'
import { sweep } from '../flow/sweep.ts'
import { batched } from '../http/batch.ts'
import type { HttpContext } from '../http/context.ts'
import { createServer } from '../http/server.ts'
import { connectQueues } from '../queue/connection.ts'
import { openQueues, type Queues } from '../queue/queue.ts'
import type { Probe } from '../runner/executor.ts'
import type { NewDelivery } from '../store/deliveries.ts'
import { type Around, processorsOf, startWorkers } from '../worker/worker.ts'
import { tasks } from '../worker/schedule.ts'
import { localSecret } from './local-secret.ts'
import { openRunner } from './open-runner.ts'
import { openStore, type Store } from './open-store.ts'
import { siteOf } from './site.ts'

export interface Service {
  /** Address for people; also where webhooks are taken in. */
  url: string
  ctx: Context
  queues: Queues
  local: LocalCodehost
  /** How jobs are isolated; absent where this process runs none. */
  probe: Probe | undefined
  /** Takes no new work, hands running jobs back, and closes everything in reverse order. */
  stop(): Promise<void>
}

export interface Options {
  log: Logger
  /** Stands around each hop of the story, for tests. */
  around?: Around
}

/** Builds the service from the bottom up for the roles in its settings. */
export async function startService(config: Config, { log, around = plainly }: Options) {
  const closing = closingStack()
  try {
    return await build(config, { log, around }, closing)
  } catch (error) {
    await closing.close()
    throw error
  }
}

const plainly: Around = (_hop, work) => work()

async function build(
  config: Config,
  { log, around }: Required<Options>,
  closing: ReturnType<typeof closingStack>,
): Promise<Service> {
  const has = (role: Config['roles'][number]) => config.roles.includes(role)
  const store = await openStore(config, log)
  closing.add(store.close)
  const onError = (error: Error) => log.warn({ err: error }, 'the queue had trouble')
  const places = { database: store.connection, redisUrl: config.redisUrl, onError }
  const connection = await connectQueues(places, processorsOf(config.roles).length)
  closing.add(connection.close)
  const queues = openQueues(connection, onError)
  closing.add(queues.close)

  const local = createLocalCodehost({ db: store.db as never })
  const { http, listening } = contexts(config, store, queues, local, log, around)
  const runner = has('runner') ? await openRunner(http, config) : undefined
  if (runner) closing.add(runner.close)

  if (has('web')) {
    const server = await createServer(http)
    closing.add(() => server.close())
    listening(await listen(server, config))
    await announceAddress(config, http.site.url)
  }
  const receive = createReceiver(http, new Probot({ githubToken: 'unused', log: log as never }))
  const tools = { ctx: http, receive, ...(runner ? { runner: runner.tools } : {}) }
  const workers = startWorkers(connection, config.roles, tools, around)
  closing.add(async () => {
    runner?.stop()
    await workers.close()
  })
  if (has('worker')) {
    await sweep(http, 0)
    for (const [task, { every }] of Object.entries(tasks)) {
      await queues.repeat('schedule.run', task, every, { task })
    }
  }
  return {
    ...{ queues, local, ctx: http },
    url: http.site.url,
    probe: runner?.probe,
    stop: closing.close,
  }
}

/** What verbs and the HTTP door work with; the address is known only once the server listens. */
function contexts(
  config: Config,
  { db, sealer }: Store,
  queues: Queues,
  local: LocalCodehost,
  log: Logger,
  around: Around,
) {
  const enqueue: Queues['enqueue'] = (name, ...rest) =>
    around(`enqueue ${name}`, () => queues.enqueue(name, ...rest))
  const enqueueAll: Queues['enqueueAll'] = (name, payloads) =>
    around(`enqueue ${name}`, () => queues.enqueueAll(name, payloads))
  const ctx: Context = {
    ...{ db, sealer, log, enqueue },
    codehosts: { local },
    now: () => new Date(),
    config: { ...config, publicUrl: siteOf(config, sealer, config.port).url },
  }
  const accept = batched(
    (deliveries: NewDelivery[]) => acceptDeliveries({ ...ctx, enqueueAll }, deliveries),
    { most: 64, atOnce: 2 },
  )
  const http: HttpContext = {
    ...ctx,
    site: siteOf(config, sealer, config.port),
    intake: {
      accept,
      secrets: { codehost: config.webhookSecret, local: localSecret(sealer) },
    },
  }
  function listening(port: number): void {
    Object.assign(http.site, siteOf(config, sealer, port))
    http.config.publicUrl = http.site.url
  }
  return { http, listening }
}

async function listen(server: FastifyInstance, { host, port }: Config): Promise<number> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new SetupError(
        `port ${port} of ${host} is taken: stop the program that listens there, or set PORT to another`,
        { cause: error },
      )
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new SetupError(
        `${host}:${port} cannot be listened on (${code}): set HOST and PORT to an address of this machine that this user may use`,
        { cause: error },
      )
    }
    throw error
  }
  return (server.server.address() as AddressInfo).port
}

/** Commands of this machine find the running service by this file. */
async function announceAddress({ dataDir }: Config, url: string): Promise<void> {
  await writeFile(path.join(dataDir, 'service.json'), JSON.stringify({ url, pid: process.pid }))
}

/** Remembers what is to be closed, and closes it once, last opened first. */
function closingStack() {
  const closers: (() => Promise<unknown>)[] = []
  return {
    add: (close: () => Promise<unknown>) => void closers.push(close),
    async close() {
      for (let close = closers.pop(); close; close = closers.pop()) await close()
    },
  }
}
