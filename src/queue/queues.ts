/** Every queue and what an entry of it carries: ids, nothing else. The database is the truth. */
export interface Payloads {
  /** A stored webhook is to be understood. */
  'delivery.process': { delivery_id: number }
  /** What the app was given is to be looked up; the number is the code host's. */
  'installation.sync': { installation: number }
  /** A request is to be decided on. */
  'request.accept': { request_id: number }
  /** An owner may have jobs that can be started. */
  'jobs.schedule': { owner_id: number; owner_type: 'User' | 'Organization' }
  /** A job is to be run. */
  'job.run': { job_id: number }
  /** Something is to be told to the outside, in the order of its stream. */
  'outbox.publish': { stream: string }
  /** It is time for one of the tasks of `worker/schedule.ts`. */
  'schedule.run': { task: string }
}

export type QueueName = keyof Payloads

export const queueNames = [
  'delivery.process',
  'installation.sync',
  'request.accept',
  'jobs.schedule',
  'job.run',
  'outbox.publish',
  'schedule.run',
] as const satisfies readonly QueueName[]

export interface EntryOptions {
  /** Milliseconds that the entry waits before it is taken. */
  delay?: number
  /** While an entry with this name waits or is worked on, no second one is added. */
  once?: string
}

/** Adds an entry. Call it after the commit that made its row; the sweep finds what gets lost. */
export interface Enqueue {
  <N extends QueueName>(name: N, payload: Payloads[N], options?: EntryOptions): Promise<void>
}

export interface EnqueueAll {
  <N extends QueueName>(name: N, payloads: readonly Payloads[N][]): Promise<void>
}

/** A dead entry: it was tried as often as its processor allows. */
export interface DeadEntry {
  queue: QueueName
  payload: unknown
  error: string
  failed_at: Date
}
