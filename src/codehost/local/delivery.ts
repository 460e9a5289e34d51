import { createHash } from 'node:crypto'
import { sign } from '../../secrets/signature.ts'
import type { RefChange } from './refs/reported-refs.ts'

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
 * The guid of a change: the same for every delivery of the change, and different for each change, even
 * when a ref goes back and forth between two commits (WH-14).
 */
export function guidOf(repository_id: number, { ref, before, after, changes }: RefChange): string {
  const facts = JSON.stringify([repository_id, ref, before, after, changes])
  const digits = createHash('sha256').update(facts).digest('hex')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
