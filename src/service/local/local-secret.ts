import type { Sealer } from '../../secrets/seal.ts'

/** The secret between the local code host and our own intake; every process here knows it. */
export function localSecret(sealer: Sealer): string {
  return sealer.derive('webhooks of the local code host')
}
