import type { Sealer } from '../../secrets/seal.ts'

const purpose = 'webhooks of the local code host'

/** The secret that the local code host signs with for our own intake; every process here knows it. */
export function localSecret(sealer: Sealer): string {
  return sealer.derive(purpose)
}

/** What others may sign with, while the order of the master keys differs between processes. */
export function localSecrets(sealer: Sealer): string[] {
  return sealer.deriveAll(purpose)
}
