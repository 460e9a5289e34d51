import { DelayedError, type Job as Entry, Worker } from 'bullmq'
import { type QueueConnection, wiring } from './connection.ts'
import type { Payloads, QueueName } from './queues.ts'

export interface Work<N extends QueueName> {
  /** Entries of this queue that are worked on at once, in this process. */
  concurrency: number
  /** How often an entry is tried before it is dead. */
  attempts: number
  /** Milliseconds until the second try; each further one waits twice as long, five minutes at most. */
  pause: number
  process(payload: Payloads[N]): Promise<void>
  /** The last try has failed. */
  giveUp?(payload: Payloads[N], error: Error): Promise<void>
  onError(error: Error): void
}

export interface OpenWorker {
  /** Takes no new entries and waits for those in work. */
  close(): Promise<void>
}

/**
 * What an entry needs is away for a while. The entry comes back by itself, for a day, and the try
 * does not count. `seconds` is when, if that is known; else it waits longer the older it is.
 */
export class Postponed extends Error {
  readonly seconds: number | null

  constructor(cause: Error, seconds: number | null) {
    super(cause.message, { cause })
    this.seconds = seconds
  }
}

const longestPause = 5 * 60_000
const longestWait = 24 * 60 * 60_000

/** Takes entries from a queue until it is closed. */
export function openWorker<N extends QueueName>(
  name: N,
  to: QueueConnection,
  work: Work<N>,
): OpenWorker {
  const { connection, backend } = wiring(to)
  const worker = new Worker(
    name,
    async (entry: Entry<Payloads[N]>, token) => {
      // The number of tries belongs to the processor, not to whoever rang: it is set on taking.
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
      concurrency: work.concurrency,
      lockDuration: 30_000,
      // A process that died in the middle of an entry leaves it stalled; verbs can be repeated.
      maxStalledCount: 10,
      settings: { backoffStrategy: (made) => Math.min(work.pause * 2 ** (made - 1), longestPause) },
    },
    ...backend,
  )
  worker.on('error', work.onError)
  worker.on('failed', (entry, error) => {
    work.onError(error)
    if (!entry || entry.attemptsMade < work.attempts) return
    work.giveUp?.(entry.data, error).catch(work.onError)
  })
  return { close: () => worker.close() }
}

function pauseOf({ seconds }: Postponed, age: number): number {
  return seconds === null ? Math.min(Math.max(1000, age / 4), 60_000) : seconds * 1000
}
