import type { Logger } from 'pino'
import type { Codehosts } from '../codehost/codehost.ts'
import type { Config } from '../config/config.ts'
import { acceptDeliveries } from '../flow/accept-deliveries.ts'
import type { Context } from '../flow/context.ts'
import { batched } from '../http/batch.ts'
import type { HttpContext } from '../http/context.ts'
import type { Queues } from '../queue/queue.ts'
import type { NewDelivery } from '../store/deliveries.ts'
import type { Around } from '../worker/worker.ts'
import { localSecret } from './local-secret.ts'
import type { Store } from './open-store.ts'
import { readSchemaFiles } from './schema-files.ts'
import { siteOf } from './site.ts'

interface Parts {
  config: Config
  store: Store
  queues: Queues
  codehosts: Codehosts
  log: Logger
  around: Around
}

/** What verbs, processors and the HTTP door work with. */
export function createContext({
  config,
  store: { db, sealer },
  queues,
  codehosts,
  log,
  around,
}: Parts): HttpContext {
  const site = siteOf(config, sealer, config.port)
  const ctx: Context = {
    db,
    sealer,
    codehosts,
    log,
    now: () => new Date(),
    enqueue: (name, ...rest) => around(`enqueue ${name}`, () => queues.enqueue(name, ...rest)),
    config: { ...config, publicUrl: site.url },
  }
  const enqueueAll: Queues['enqueueAll'] = (name, payloads) =>
    around(`enqueue ${name}`, () => queues.enqueueAll(name, payloads))
  const accept = batched(
    (deliveries: NewDelivery[]) => acceptDeliveries({ ...ctx, enqueueAll }, deliveries),
    { most: 64, atOnce: 2 },
  )
  const secrets = { codehost: config.webhookSecret, local: localSecret(sealer) }
  return { ...ctx, site, intake: { accept, secrets }, schemaFiles: readSchemaFiles }
}

/** Corrects the address once it is known which port was got. */
export function setPort(ctx: HttpContext, config: Config, port: number): void {
  Object.assign(ctx.site, siteOf(config, ctx.sealer, port))
  ctx.config.publicUrl = ctx.site.url
}
