import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { signedDelivery } from '../../codehost/local/delivery.ts'
import { type Deliver, notify } from '../../codehost/local/hooks/notify.ts'
import type { LocalCodehost } from '../../codehost/local/local-codehost.ts'
import { findRepositoryAt } from '../../codehost/local/register.ts'
import { repositoriesOf } from '../../codehost/local/repositories.ts'
import type { LocalChanges } from '../../http/core/context.ts'
import type { Sealer } from '../../secrets/seal.ts'
import { localSecret } from './local-secret.ts'

/** Sends webhooks of the local code host to the intake of a service. */
export function deliverTo(url: string, sealer: Sealer): Deliver {
  const secret = localSecret(sealer)
  return async (delivery) => {
    const response = await fetch(`${url}/webhooks/local`, {
      method: 'POST',
      headers: signedDelivery(secret, delivery),
      body: new Uint8Array(delivery.body),
    })
    if (!response.ok) throw new Error(`the service at ${url} responded with ${response.status}`)
  }
}

/** Looks for changes on request of commands and hooks, which therefore need neither key nor database. */
export function localChanges(
  local: LocalCodehost,
  { sealer, url }: { sealer: Sealer; url: () => string },
): LocalChanges {
  return {
    token: randomBytes(32).toString('hex'),
    async report(folder) {
      const repository = await findRepositoryAt(local, folder)
      return repository && notify(local, repository, deliverTo(url(), sealer))
    },
  }
}

interface Serving {
  local: LocalCodehost
  localUrl: string
  ctx: { sealer: Sealer }
}

const lookEvery = 60_000

/**
 * Reports all changes that no hook has reported: changes made while the service or its database was
 * down, or by operations that run no hook. Looks now, and then every minute until aborted.
 */
export async function keepReporting(
  serving: Serving,
  log: Logger,
  stop: AbortSignal,
): Promise<void> {
  await reportAll(serving, log)
  let running = false
  const timer = setInterval(() => {
    if (running) return
    running = true
    void reportAll(serving, log).finally(() => (running = false))
  }, lookEvery).unref()
  stop.addEventListener('abort', () => clearInterval(timer), { once: true })
  if (stop.aborted) clearInterval(timer)
}

async function reportAll({ local, localUrl, ctx }: Serving, log: Logger): Promise<void> {
  const deliver = deliverTo(localUrl, ctx.sealer)
  const warn = (err: unknown, path?: string) =>
    log.warn({ err, path }, 'changes of a local repository could not be delivered')
  try {
    for (const repository of await repositoriesOf(local)) {
      await notify(local, repository, deliver).catch((error: unknown) =>
        warn(error, repository.path),
      )
    }
  } catch (error) {
    warn(error)
  }
}
