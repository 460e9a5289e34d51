import type { ServiceRole } from '../config/config.ts'
import type { DeliveryEnd } from '../domain/delivery.ts'
import type { Machine } from '../domain/job/machine.ts'
import type { Context } from '../flow/context.ts'
import type { Payloads, QueueName } from '../queue/queues.ts'
import type { Executor, JobSpec } from '../runner/executor.ts'
import type { ImageMap } from '../script/images/image-map.ts'
import type { Losses } from './losses.ts'
import type { Rest } from './rest.ts'

/** A stored webhook with its payload unsealed, as input for Probot's `receive`. */
export interface OpenDelivery {
  id: number
  guid: string
  provider: 'codehost' | 'local'
  event: string
  payload: unknown
}

/** Returns the outcome of the event; throws when the event must be retried. */
export type Receive = (delivery: OpenDelivery) => Promise<DeliveryEnd>

/** The dependencies of processors. */
export interface Tools {
  ctx: Context
  receive: Receive
  /** The runner of this process; absent where the process has no role `runner`. */
  runner?: RunnerTools
}

export interface RunnerTools {
  id: string
  executor: Executor
  /** The images of jobs, for executors that have images. */
  images: ImageMap
  /** The owners whose jobs can have a Docker engine, in lower case. */
  dockerInJobs: readonly string[]
  /** What a job may use of its machine, where the settings say so. */
  jobLimits: JobSpec['limits']
  /** The queues whose jobs it takes; null for all. */
  queues: readonly string[] | null
  /** The machine on which its jobs run. */
  machine: Machine
  version: string
  slots: number
  /** Aborted when this process stops and must release its jobs. */
  stopping: AbortSignal
  rest: Rest
  /** Whether no other runner of this service is alive, according to the last heartbeats. */
  isAlone(): boolean
  losses: Losses
  /** The jobs of which this process runs an attempt, also one that was canceled and still ends. */
  running: Set<number>
  /** Whether somebody follows the log of a job: its output is then stored sooner. */
  isWatched(jobId: number): boolean
}

export interface Here {
  /** Milliseconds before an entry is begun, if a slot is free then. */
  after: number
  /**
   * Head start in milliseconds of the first of several entries created together, if no other process
   * takes the others: begun or added immediately, they would slow the first one down.
   */
  ahead?: number
  /** Whether an entry can be begun here at all; always, if absent. */
  when?(tools: Tools): boolean
}

/** How the entries of one queue are processed. An entry may arrive twice, or too late. */
export interface Processor<N extends QueueName> {
  queue: N
  role: ServiceRole
  attempts: number
  /** Milliseconds until the second attempt. */
  pause: number
  /** How an entry is processed in the process that created it, without the queue. Null for never. */
  here: Here | null
  /** Number of entries processed at once in one process. */
  concurrency(tools: Tools): number
  process(payload: Payloads[N], tools: Tools): Promise<void>
  giveUp?(payload: Payloads[N], tools: Tools, error: Error): Promise<void>
}
