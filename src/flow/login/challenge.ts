import { createHash, createHmac } from 'node:crypto'
import type { Sealer } from '../../secrets/seal.ts'

const purpose = 'login verifier'

/**
 * What proves to the code host that the one who redeems a code is the one who had it issued (PKCE). It
 * follows from the state of the login and from the master key with this id, or else the first one, so
 * it is not stored.
 */
export function verifierOf(
  { sealer }: { sealer: Pick<Sealer, 'keyIds' | 'derive' | 'deriveAll'> },
  random: string,
  keyId: string | null,
): string {
  const index = sealer.keyIds.findIndex((id) => id === keyId)
  const key = sealer.deriveAll(purpose)[index] ?? sealer.derive(purpose)
  return createHmac('sha256', key).update(random).digest('base64url')
}

/** What is said of it beforehand. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
