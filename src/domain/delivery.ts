import type { Provider } from './owner.ts'

/** A webhook as it was received; stored so that it can be processed later, and repeatedly. */
export interface Delivery {
  id: number
  guid: string
  provider: Provider
  event: string
  action: string | null
  repository_codehost_id: number | null
  installation_codehost_id: number | null
  /** The exact bytes, sealed when the repository is private; dropped some days later (D32). */
  body: Buffer | null
  sealed: boolean
  state: 'received' | 'processed' | 'failed'
  /** Result for users: the request it created, or why it created none. */
  outcome: string | null
  attempts: number
  received_at: Date
  processed_at: Date | null
}
