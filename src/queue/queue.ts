import { type Job as Entry, Queue } from 'bullmq'
import { batchesOf } from '../domain/batches.ts'
import { closeOrLeave } from './close-or-leave.ts'
import { bullmqArguments, type QueueConnection } from './connection.ts'
import type { Adding, DeadEntry, Enqueue, QueueCounts, QueueName } from './queues.ts'
import { queueNames } from './queues.ts'

/** Up to this number, adding entries singly is faster than in bulk, for which PostgreSQL creates tables. */
const handful = 16

/** More entries at once would overfill Redis' socket, which may then wait 200 ms before it takes the rest. */
const mostAtOnce = 50

export interface Queues extends Adding {
  /** Entries whose attempts are used up, newest first. */
  dead(limit?: number): Promise<DeadEntry[]>
  /** Number of entries of each queue that wait for a worker. */
  waiting(): Promise<Record<QueueName, number>>
  counts(): Promise<QueueCounts[]>
  close(): Promise<void>
}

/** Opens all queues for adding and inspecting entries; `openWorker` (`work.ts`) processes them. */
export async function openQueues(
  to: QueueConnection,
  onError: (error: Error) => void,
): Promise<Queues> {
  const { connection, backend } = bullmqArguments(to)
  const queues = new Map(
    queueNames.map((name) => {
      const queue = new Queue(
        name,
        {
          connection,
          defaultJobOptions: { removeOnComplete: true, removeOnFail: { count: 1000 } },
        },
        ...backend,
      )
      queue.on('error', onError)
      return [name, queue] as const
    }),
  )
  const all = [...queues]
  await Promise.all(all.map(([, queue]) => queue.waitUntilReady()))

  const enqueue: Enqueue = async (name, payload, { delay, once } = {}) => {
    await queues
      .get(name)
      ?.add(name, payload, {
        ...(delay === undefined ? {} : { delay }),
        ...(once === undefined ? {} : { deduplication: { id: once } }),
      })
  }

  return {
    enqueue,

    async enqueueAll(name, payloads) {
      for (const batch of batchesOf(payloads, mostAtOnce)) {
        if (batch.length > handful) {
          await queues.get(name)?.addBulk(batch.map((data) => ({ name, data })))
        } else {
          for (const payload of batch) await enqueue(name, payload)
        }
      }
    },

    async dead(limit = 100) {
      const lists = await Promise.all(
        all.map(async ([name, queue]) =>
          (await queue.getFailed(0, limit - 1)).map((entry) => deadEntry(name, entry)),
        ),
      )
      return lists
        .flat()
        .toSorted((a, b) => b.failed_at.getTime() - a.failed_at.getTime())
        .slice(0, limit)
    },

    async waiting() {
      const counts = await Promise.all(
        all.map(async ([name, queue]) => [name, await queue.getWaitingCount()] as const),
      )
      return Object.fromEntries(counts) as Record<QueueName, number>
    },

    counts: () =>
      Promise.all(
        all.map(async ([name, queue]) => {
          const [waiting, delayed, active, failed] = await Promise.all([
            queue.getWaitingCount(),
            queue.getDelayedCount(),
            queue.getActiveCount(),
            queue.getFailedCount(),
          ])
          return { name, waiting, delayed, active, failed }
        }),
      ),

    async close() {
      await closeOrLeave(to, () => Promise.all(all.map(([, queue]) => queue.close())))
    },
  }
}

function deadEntry(queue: QueueName, entry: Entry): DeadEntry {
  return {
    queue,
    payload: entry.data as unknown,
    error: entry.failedReason,
    failed_at: new Date(entry.finishedOn ?? entry.timestamp),
  }
}
