import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Schema, SchemaFiles } from '../buildfile/schema/document.ts'
import type { Codehosts } from '../codehost/codehost.ts'
import type { LocalCodehost } from '../codehost/local/local-codehost.ts'
import type { Config } from '../config/config.ts'
import { archivedText } from '../domain/archived.ts'
import { ServiceError } from '../domain/errors.ts'
import { type Repository, slugOf } from '../domain/repository.ts'
import { shownTime } from '../domain/time/shown-time.ts'
import type { Context } from '../flow/context.ts'
import { acceptDeliveries } from '../flow/deliveries/deliveries.ts'
import { createDeliveryEnqueuer } from '../flow/deliveries/delivery-enqueuer.ts'
import type { HttpContext } from '../http/core/context.ts'
import { openRates } from '../http/identity/rate-limits.ts'
import { openBudget } from '../http/lint/budget.ts'
import type { Resolve } from '../notify/guard.ts'
import { openNotifier } from '../notify/notifier.ts'
import type { Objects, ObjectStore } from '../objects/objects.ts'
import { openObjects } from '../objects/open-objects.ts'
import type { Queues } from '../queue/queue.ts'
import type { Adding } from '../queue/queues.ts'
import type { Reader } from '../reader/reader.ts'
import { keyPairMaker } from '../secrets/key-pair.ts'
import type { NewDelivery } from '../store/deliveries/deliveries.ts'
import { findInstallation } from '../store/installations/installations.ts'
import { batched } from '../store/sql/batch.ts'
import type { Database } from '../store/tables.ts'
import type { WrapHop } from '../worker/worker.ts'
import { localNotices } from './local/local-notices.ts'
import { localSecrets } from './local/local-secret.ts'
import type { Store } from './open/open-store.ts'
import { readiness } from './readiness.ts'
import { noticeText, reportNotices, reportNoticesOfBuild } from './report-notices.ts'
import { siteOf } from './site.ts'

interface ContextParts {
  config: Config
  store: Store
  queues: Queues
  /** Processes or enqueues the next hops of a push. */
  hops: Adding
  codehosts: Codehosts
  /** The code host of this machine, if it is among them. */
  local?: LocalCodehost
  log: Logger
  reader: Reader
  wrapHop: WrapHop
  /** Looks up the hosts of notifications; by default with this machine's resolver. */
  resolve?: Resolve
}

/** The context of verbs, processors and the HTTP door. */
export function createContext({
  config,
  store: { db, sealer },
  queues,
  hops: { enqueue, enqueueAll },
  codehosts,
  local,
  log,
  reader,
  wrapHop,
  resolve,
}: ContextParts): HttpContext {
  const site = siteOf(config, config.port)
  const ctx: Context = {
    db,
    sealer,
    newKeyPair: keyPairMaker(4096),
    codehosts,
    notifier: openNotifier({
      allowed: config.notificationNetworks,
      smtpUrl: config.smtpUrl,
      ...(resolve ? { resolve } : {}),
    }),
    objects: wrapped(openObjects(config), wrapHop),
    log,
    reader,
    now: () => new Date(),
    enqueue: (name, ...rest) => wrapHop(`enqueue ${name}`, () => enqueue(name, ...rest)),
    enqueueAll: (name, payloads) => wrapHop(`enqueue ${name}`, () => enqueueAll(name, payloads)),
    config: { ...config, publicUrl: site.url },
  }
  const enqueueDeliveries = createDeliveryEnqueuer(ctx)
  const accept = bounded(
    batched(
      (deliveries: NewDelivery[]) => acceptDeliveries({ db, enqueueDeliveries }, deliveries),
      { most: 64, atOnce: 2 },
    ),
    { most: 100 * 1024 * 1024, sizeOf: ({ body }) => body.length },
  )
  const { webhookSecret } = config
  const secrets = {
    codehost: webhookSecret === undefined ? [] : [webhookSecret],
    local: localSecrets(sealer),
  }
  return {
    ...ctx,
    site,
    intake: { accept, secrets },
    lintBudget: openBudget(ctx.now),
    rates: openRates(ctx.now),
    noticesOf: async (repository) => [
      ...(local ? await localNotices(local, repository) : []),
      ...(await installationNotices(db, repository, config)),
      ...(await reportNotices(db, repository)).map(noticeText),
    ],
    reportNoticesOf: (request, commit) => reportNoticesOfBuild(ctx, request, commit),
    schemaFiles: readSchemaFiles,
    queueCounts: () => queues.counts(),
    readiness: () => readiness({ db, log, queues, config, objects: ctx.objects }),
  }
}

/** These stores, with their calls as hops. */
function wrapped({ current, at }: Objects, wrapHop: WrapHop): Objects {
  const wrap = (store: ObjectStore): ObjectStore => ({
    ...store,
    put: (...rest) => wrapHop('put object', () => store.put(...rest)),
    get: (...rest) => wrapHop('get object', () => store.get(...rest)),
    delete: (...rest) => wrapHop('delete object', () => store.delete(...rest)),
  })
  return { current: current && wrap(current), at: (place) => wrap(at(place)) }
}

/** Corrects the address once the port is known. */
export function setPort(ctx: HttpContext, config: Config, port: number): void {
  Object.assign(ctx.site, siteOf(config, port))
  ctx.config.publicUrl = ctx.site.url
}

/**
 * Wraps work so that it is refused as unavailable while the items in progress hold too many bytes:
 * callers that wait may be gone, but waiting for them frees no memory.
 */
export function bounded<T, R>(
  work: (item: T) => Promise<R>,
  { most, sizeOf }: { most: number; sizeOf: (item: T) => number },
): (item: T) => Promise<R> {
  let held = 0
  return async (item) => {
    const size = sizeOf(item)
    if (held > 0 && held + size > most) {
      const message = 'too many events are waiting to be stored: send this again later'
      throw new ServiceError('unavailable', message, { retry_after: 30 })
    }
    held += size
    try {
      return await work(item)
    } finally {
      held -= size
    }
  }
}

/** Why events of a repository have no effect, a sentence each; empty if they have. */
async function installationNotices(
  db: Database,
  repository: Pick<
    Repository,
    'provider' | 'installation_id' | 'owner_name' | 'name' | 'archived_at'
  >,
  config: Pick<Config, 'gheHost'>,
): Promise<string[]> {
  const { provider, installation_id, owner_name } = repository
  if (provider === 'local') return []
  const installation =
    installation_id === null ? undefined : await findInstallation(db, { id: installation_id })
  if (!installation || installation.removed_at !== null) {
    return [
      `the app is not installed on ${slugOf(repository)}: nothing that is pushed there is built. ` +
        'What to do: add the repository to the app’s installation at the code host',
    ]
  }
  if (repository.archived_at !== null) {
    return [
      `${archivedText(repository, config)}. Until then crons are paused, and statuses and checks are ` +
        'held back; they are posted within a minute of unarchiving',
    ]
  }
  if (installation.suspended_at === null) return []
  return [
    `the app is suspended for ${owner_name} since ${shownTime(installation.suspended_at)}: pushes ` +
      'are not built. What to do: unsuspend it in its settings at the code host, and push again',
  ]
}

const folder = fileURLToPath(new URL('../../schemas', import.meta.url))

/** The files of the build file's schema, by their path below `schemas/`. */
export function readSchemaFiles(): SchemaFiles {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .toSorted()
  return new Map(
    files.map((file) => [
      file.split(path.sep).join('/'),
      JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Schema,
    ]),
  )
}
