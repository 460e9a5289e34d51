import type { Sealer } from '../../secrets/seal.ts'

const purpose = 'webhooks of the local code host'

/** The secret with which the local code host signs for our own intake; every process here knows it. */
export function localSecret(sealer: Sealer): string {
  return sealer.derive(purpose)
}

/** Secrets that other processes may sign with, while the order of master keys differs between processes. */
export function localSecrets(sealer: Sealer): string[] {
  return sealer.deriveAll(purpose)
}
