import type { ServiceRole } from '../config/config.ts'
import type { Context } from '../flow/context.ts'
import type { Payloads, QueueName } from '../queue/queues.ts'
import type { Executor } from '../runner/executor.ts'

/** A stored webhook, opened: what Probot's `receive` is given, and whose it is. */
export interface OpenDelivery {
  id: number
  guid: string
  provider: 'codehost' | 'local'
  event: string
  payload: unknown
}

/** Answers what became of the event; throws when it should be tried again. */
export type Receive = (delivery: OpenDelivery) => Promise<{ outcome: string; failed: boolean }>

/** What processors work with. */
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
  /** Aborted when this process stops and its jobs are to be handed back. */
  stopping: AbortSignal
}

/** One kind of entry and how it is worked on. An entry may come twice, or too late. */
export interface Processor<N extends QueueName> {
  queue: N
  role: ServiceRole
  attempts: number
  /** Milliseconds until the second try. */
  pause: number
  /** Entries worked on at once in one process. */
  concurrency(tools: Tools): number
  process(payload: Payloads[N], tools: Tools): Promise<void>
  giveUp?(payload: Payloads[N], tools: Tools, error: Error): Promise<void>
}
