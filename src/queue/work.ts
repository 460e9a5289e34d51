import { DelayedError, type Job as Entry, UnrecoverableError, Worker } from 'bullmq'
import { closeOrLeave } from './close-or-leave.ts'
import { bullmqArguments, type QueueConnection } from './connection.ts'
import type { Payloads, QueueName } from './queues.ts'

export interface Work<N extends QueueName> {
  /** Number of entries of this queue processed at once in this process. */
  concurrency: number
  /** Attempts before an entry is dead. */
  attempts: number
  /** Milliseconds until the second attempt; the wait doubles for each later attempt, up to five minutes. */
  pause: number
  process(payload: Payloads[N]): Promise<void>
  /** Called when the last attempt has failed. */
  giveUp?(payload: Payloads[N], error: Error): Promise<void>
  onError(error: Error): void
}

export interface OpenWorker {
  /**
   * Takes no new entries until `resume`, except entries already requested: the entry that it waits for,
   * and one for each entry that is just being finished. Entries in progress continue.
   */
  pause(): Promise<void>
  resume(): void
  /** Takes no new entries and waits for those in progress, unless the queue's server is gone. */
  close(): Promise<void>
}

/**
 * Something that an entry needs is unavailable for a while. The entry is retried later, for a day, and
 * the attempt does not count. `seconds` is the delay, if known; else it grows with the entry's age.
 */
export class Postponed extends Error {
  readonly seconds: number | null

  constructor(cause: Error, seconds: number | null) {
    super(cause.message, { cause })
    this.seconds = seconds
  }
}

/**
 * Seconds without an entry until a worker looks anyway. A new entry wakes the worker immediately, unless
 * its connection for notifications is lost silently. Redis notifies only one worker of a delayed entry;
 * if that worker ends, no worker waits for the entry.
 */
const lookAfter = { postgres: 60, redis: 10 } as const

const longestPause = 5 * 60_000
const longestWait = 24 * 60 * 60_000

/**
 * Processes the entries of a queue until closed. Begins once its connection works: BullMQ remembers a
 * failed first connection, and would retry forever without a pause.
 */
export async function openWorker<N extends QueueName>(
  name: N,
  to: QueueConnection,
  work: Work<N>,
): Promise<OpenWorker> {
  const { connection, backend } = bullmqArguments(to)
  const worker = new Worker(
    name,
    async (entry: Entry<Payloads[N]>, token) => {
      // The number of attempts belongs to the processor, not to the code that enqueued the entry.
      entry.opts.attempts = work.attempts
      entry.opts.backoff = { type: 'growing' }
      try {
        await work.process(entry.data)
      } catch (error) {
        const age = Date.now() - entry.timestamp
        if (!(error instanceof Postponed) || age > longestWait) throw error
        // PostgreSQL keeps whole milliseconds.
        await entry.moveToDelayed(Math.round(Date.now() + pauseOf(error, age)), token)
        throw new DelayedError()
      }
    },
    {
      connection,
      autorun: false,
      concurrency: work.concurrency,
      lockDuration: 30_000,
      drainDelay: lookAfter[to.kind],
      // Delay while the queue's server is unreachable.
      runRetryDelay: 1000,
      // The entry of a process that died is stalled; it is repeated, because verbs can be repeated.
      maxStalledCount: 10,
      settings: {
        backoffStrategy: (attempts) => Math.min(work.pause * 2 ** (attempts - 1), longestPause),
      },
    },
    ...backend,
  )
  worker.on('error', work.onError)
  worker.on('failed', (entry, error) => {
    work.onError(error)
    // A repeatedly stalled entry fails before its attempts are used up.
    const isDead = error instanceof UnrecoverableError
    if (!entry || (entry.attemptsMade < work.attempts && !isDead)) return
    work.giveUp?.(entry.data, error).catch(work.onError)
  })
  await worker.waitUntilReady()
  worker.run().catch(work.onError)
  return {
    pause: () => worker.pause(true),
    resume() {
      worker.resume().catch(work.onError)
    },
    close: () => closeOrLeave(to, () => worker.close()),
  }
}

function pauseOf({ seconds }: Postponed, age: number): number {
  return seconds === null ? Math.min(Math.max(1000, age / 4), 60_000) : seconds * 1000
}
