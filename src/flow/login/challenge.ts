import { createHash, createHmac } from 'node:crypto'
import type { Sealer } from '../../secrets/seal.ts'

/**
 * What proves to the code host that the one who redeems a code is the one who had it issued (PKCE). It
 * follows from the state of the login and from our own key, so it is not stored.
 */
export function verifierOf({ sealer }: { sealer: Sealer }, random: string): string {
  return createHmac('sha256', sealer.derive('login verifier')).update(random).digest('base64url')
}

/** What is said of it beforehand. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
