import type { Provider } from './owner.ts'

export const deliveryResults = ['request', 'noted', 'ignored', 'unknown', 'error'] as const

/**
 * Result of a webhook: a request, a change of stored data, nothing, nothing because its repository is
 * unknown, or an error of the service.
 */
export type DeliveryResult = (typeof deliveryResults)[number]

/** Start of the ids of deliveries created for pushes that no webhook reported. */
export const foundGuid = 'catch-up-'

/**
 * Events that are processed as their body describes them, so that an equal body under another id must
 * not count again; genuine events differ in a time. For all other events, the code host is queried.
 */
const doneAsSaid: readonly string[] = [
  'push',
  'pull_request',
  'merge_group',
  'check_run',
  'check_suite',
]

/** Whether equal bodies count only once. Local events come from this machine alone, and contain no times. */
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
  /** The commit of the delivery, if there is one. */
  sha: string | null
  /** The exact bytes, sealed when the repository is private; dropped some days later (D32). */
  body: Buffer | null
  sealed: boolean
  /** Hash that identifies equal bodies; null if the body may be sent any number of times. */
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
