import type { Provider } from './owner.ts'

export const deliveryResults = ['request', 'noted', 'ignored', 'unknown', 'error'] as const

/**
 * What came of a webhook: a request, a change of what is stored, nothing, nothing since its
 * repository is unknown, or an error of the service.
 */
export type DeliveryResult = (typeof deliveryResults)[number]

/** What the ids of webhooks begin with that stand for pushes no webhook told of. */
export const foundGuid = 'catch-up-'

/**
 * Events that something is done for as they say it, so that the same body under another id is not theirs
 * again; genuine ones differ in a time. About all others the code host is asked.
 */
const doneAsSaid: readonly string[] = [
  'push',
  'pull_request',
  'merge_group',
  'check_run',
  'check_suite',
]

/** Whether a body counts once. This machine's events are no one else's, and have no times. */
export function countsOnce(provider: Provider, event: string): boolean {
  return provider === 'codehost' && doneAsSaid.includes(event)
}

/** How the processing of a webhook ended. */
export interface DeliveryEnd {
  result: DeliveryResult
  /** For users, in words. */
  outcome: string
}

/** A webhook as it was received; stored so that it can be processed later, and repeatedly. */
export interface Delivery {
  id: number
  guid: string
  provider: Provider
  event: string
  action: string | null
  repository_codehost_id: number | null
  installation_codehost_id: number | null
  /** The commit that it is about, if there is one. */
  sha: string | null
  /** The exact bytes, sealed when the repository is private; dropped some days later (D32). */
  body: Buffer | null
  sealed: boolean
  /** What an equal body is recognized by; null where it may be sent any number of times. */
  body_hash: string | null
  /** Whether the bytes are packed with Brotli, before they are sealed. */
  packed: boolean
  state: 'received' | 'processed' | 'failed'
  /** Result for users: the request it created, or why it created none. */
  outcome: string | null
  /** Null until it is processed. */
  result: DeliveryResult | null
  attempts: number
  received_at: Date
  processed_at: Date | null
}
