import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { signedDelivery } from '../codehost/local/delivery.ts'
import type { LocalCodehost } from '../codehost/local/local-codehost.ts'
import { type Deliver, notify } from '../codehost/local/notify.ts'
import { findRepositoryAt } from '../codehost/local/register.ts'
import { repositoriesOf } from '../codehost/local/repositories.ts'
import type { LocalChanges } from '../http/context.ts'
import type { Sealer } from '../secrets/seal.ts'
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

/** Looks for changes on request of commands and hooks, which need neither key nor database for it. */
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

/** Reports all changes made while the service was not running. */
export async function reportAll({ local, localUrl, ctx }: Serving, log: Logger): Promise<void> {
  const deliver = deliverTo(localUrl, ctx.sealer)
  for (const repository of await repositoriesOf(local)) {
    try {
      await notify(local, repository, deliver)
    } catch (error) {
      log.warn(
        { err: error, path: repository.path },
        'changes of a local repository could not be delivered',
      )
    }
  }
}
