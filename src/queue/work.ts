import { type Job as Entry, Worker } from 'bullmq'
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

const longestPause = 5 * 60_000

/** Takes entries from a queue until it is closed. */
export function openWorker<N extends QueueName>(
  name: N,
  to: QueueConnection,
  work: Work<N>,
): OpenWorker {
  const { connection, backend } = wiring(to)
  const worker = new Worker(
    name,
    async (entry: Entry<Payloads[N]>) => {
      // The number of tries belongs to the processor, not to whoever rang: it is set on taking.
      entry.opts.attempts = work.attempts
      entry.opts.backoff = { type: 'growing' }
      await work.process(entry.data)
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
