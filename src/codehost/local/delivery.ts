import { createHash } from 'node:crypto'
import { sign } from '../../secrets/signature.ts'
import type { Change } from './refs/reported-refs.ts'

/** A webhook as the local code host sends it. */
export interface LocalDelivery {
  guid: string
  event: 'push' | 'pull_request'
  body: Buffer
}

/** The headers of the request that sends a delivery to our own intake. */
export function signedDelivery(
  secret: string,
  { guid, event, body }: LocalDelivery,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-hub-signature-256': sign(secret, body),
  }
}

/**
 * The same for a change however often it is delivered, and different for each change, also when a
 * ref goes back and forth between two commits (WH-14).
 */
export function guidOf(repository_id: number, { ref, before, after, changes }: Change): string {
  const facts = JSON.stringify([repository_id, ref, before, after, changes])
  const digits = createHash('sha256').update(facts).digest('hex')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
