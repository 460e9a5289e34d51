/** Every queue and the payload of its entries: ids, nothing else. The database is the source of truth. */
export interface Payloads {
  /** Stored webhooks must be processed. */
  'delivery.process': { delivery_ids: readonly number[] }
  /** The repositories of an installation must be synced; the number is the code host's id. */
  'installation.sync': { installation: number }
  /** The data that a user can see at the code host must be synced. */
  'user.sync': { user_id: number }
  /** A request is to be decided on. */
  'request.accept': { request_id: number }
  /** An owner may have jobs that can be started. */
  'jobs.schedule': { owner_id: number; owner_type: 'User' | 'Organization' }
  /** A job is to be run. */
  'job.run': { job_id: number }
  /** The outbox rows of a stream must be published, in order. */
  'outbox.publish': { stream: string }
  /** The outbox rows of a stream of notifications must be published, in order. */
  'notification.publish': { stream: string }
}

export type QueueName = keyof Payloads

export const queueNames = [
  'delivery.process',
  'installation.sync',
  'user.sync',
  'request.accept',
  'jobs.schedule',
  'job.run',
  'outbox.publish',
  'notification.publish',
] as const satisfies readonly QueueName[]

export interface EntryOptions {
  /** Milliseconds that the entry waits before it is processed. */
  delay?: number
  /** While an entry with this name waits or is processed, no second one is added. */
  once?: string
}

/** Adds an entry. Call it after the commit that created its row; the sweep adds lost entries again. */
export interface Enqueue {
  <N extends QueueName>(name: N, payload: Payloads[N], options?: EntryOptions): Promise<void>
}

/** Adds entries of one queue, in order. */
export interface EnqueueAll {
  <N extends QueueName>(name: N, payloads: readonly Payloads[N][]): Promise<void>
}

/** The ways of adding entries. */
export interface Adding {
  enqueue: Enqueue
  enqueueAll: EnqueueAll
}

/** An entry whose attempts are used up. */
export interface DeadEntry {
  queue: QueueName
  payload: unknown
  error: string
  failed_at: Date
}

/** How many entries of a queue are in each state. */
export interface QueueCounts {
  name: QueueName
  waiting: number
  /** Entries whose time has not come yet. */
  delayed: number
  active: number
  /** Entries whose attempts are used up. */
  failed: number
}
