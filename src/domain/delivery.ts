import type { Provider } from './owner.ts'

export const deliveryResults = ['request', 'noted', 'ignored', 'unknown', 'error'] as const

/**
 * What came of a webhook: a request, a change of what is stored, nothing, nothing since its
 * repository is unknown, or an error of the service.
 */
export type DeliveryResult = (typeof deliveryResults)[number]

/** What the ids of webhooks begin with that stand for pushes no webhook told of. */
export const foundGuid = 'catch-up-'

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
