import type { Logger } from 'pino'
import type { Codehosts } from '../codehost/codehost.ts'
import type { LocalCodehost } from '../codehost/local/local-codehost.ts'
import type { Config } from '../config/config.ts'
import { acceptDeliveries } from '../flow/accept-deliveries.ts'
import { createDeliveryEnqueuer } from '../flow/delivery-enqueuer.ts'
import type { Context } from '../flow/context.ts'
import { batched } from '../store/batch.ts'
import type { HttpContext } from '../http/context.ts'
import { openBudget } from '../http/lint/budget.ts'
import { openRates } from '../http/rates.ts'
import type { Resolve } from '../notify/guard.ts'
import { openNotifier } from '../notify/notifier.ts'
import type { Queues } from '../queue/queue.ts'
import type { Adding } from '../queue/queues.ts'
import type { Reader } from '../reader/reader.ts'
import { keyPairMaker } from '../secrets/key-pair.ts'
import type { NewDelivery } from '../store/deliveries.ts'
import type { WrapHop } from '../worker/worker.ts'
import { bounded } from './bounded.ts'
import { installationNotices } from './installation-notices.ts'
import { localNotices } from './local/local-notices.ts'
import { localSecrets } from './local/local-secret.ts'
import { noticeText, reportNotices } from './report-notices.ts'
import { readiness } from './readiness.ts'
import type { Store } from './open/open-store.ts'
import { readSchemaFiles } from './schema-files.ts'
import { siteOf } from './site.ts'

interface ContextParts {
  config: Config
  store: Store
  queues: Queues
  /** Has the next hops of a push done. */
  hops: Adding
  codehosts: Codehosts
  /** The code host of this machine, where it is among them. */
  local?: LocalCodehost
  log: Logger
  reader: Reader
  wrapHop: WrapHop
  /** Looks up the hosts of notifications; by default as this machine does. */
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
  const site = siteOf(config, sealer, config.port)
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
    schemaFiles: readSchemaFiles,
    queueCounts: () => queues.counts(),
    readiness: () => readiness({ db, log, queues, config }),
  }
}

/** Corrects the address once the port is known. */
export function setPort(ctx: HttpContext, config: Config, port: number): void {
  Object.assign(ctx.site, siteOf(config, ctx.sealer, port))
  ctx.config.publicUrl = ctx.site.url
}
