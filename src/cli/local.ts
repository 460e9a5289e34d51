import type { Logger } from 'pino'
import { type LocalDelivery, signedDelivery } from '../codehost/local/delivery.ts'
import { type Deliver, notify } from '../codehost/local/notify.ts'
import { repositoriesOf } from '../codehost/local/repositories.ts'
import type { Sealer } from '../secrets/seal.ts'
import { localSecret } from '../service/local-secret.ts'
import type { Service } from '../service/start.ts'

/** Sends webhooks of the local code host to the intake of a running service. */
export function deliverTo(url: string, sealer: Sealer): Deliver {
  const secret = localSecret(sealer)
  return async (delivery: LocalDelivery) => {
    const response = await fetch(`${url}/webhooks/local`, {
      method: 'POST',
      headers: signedDelivery(secret, delivery),
      body: new Uint8Array(delivery.body),
    })
    if (!response.ok) throw new Error(`the service at ${url} responded with ${response.status}`)
  }
}

/** Notifies the service of all changes made while it was not running. */
export async function deliverAll({ local, url, ctx }: Service, log: Logger): Promise<void> {
  const deliver = deliverTo(url, ctx.sealer)
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
