import type { ServiceRole } from '../config/config.ts'
import type { DeliveryEnd } from '../domain/delivery.ts'
import type { Context } from '../flow/context.ts'
import type { Payloads, QueueName } from '../queue/queues.ts'
import type { Executor } from '../runner/executor.ts'
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

/** Returns the outcome of the event; throws when it is to be retried. */
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
  version: string
  slots: number
  /** Aborted when this process stops and its jobs are to be released. */
  stopping: AbortSignal
  rest: Rest
  /** Whether no other runner of this service is alive, as of its last heartbeat. */
  isAlone(): boolean
  losses: Losses
}

export interface Here {
  /** Milliseconds before it is begun, if a slot is free then. */
  after: number
  /**
   * Milliseconds that the first of entries which arise together is ahead of the others, where no other process
   * takes them: begun or added at once, they would slow it down.
   */
  ahead?: number
  /** Whether it can be begun at all; always, without this. */
  when?(tools: Tools): boolean
}

/** How the entries of one queue are processed. An entry may arrive twice, or too late. */
export interface Processor<N extends QueueName> {
  queue: N
  role: ServiceRole
  attempts: number
  /** Milliseconds until the second attempt. */
  pause: number
  /** How an entry is processed where it arises, without the queue. Null where it never is. */
  here: Here | null
  /** Entries processed at once in one process. */
  concurrency(tools: Tools): number
  process(payload: Payloads[N], tools: Tools): Promise<void>
  giveUp?(payload: Payloads[N], tools: Tools, error: Error): Promise<void>
}
