import type { Context } from '../flow/context.ts'
import type { Adding, Enqueue, EnqueueAll, Payloads, QueueName } from '../queue/queues.ts'
import { Postponed } from '../queue/work.ts'
import { createSlots, type Slots } from './slots.ts'

/**
 * Processes an entry immediately if this process serves its queue and has a free slot; otherwise, or if
 * that fails, adds the entry to its queue. Resolves once processing has begun or the entry was added. A
 * process that dies in between leaves its row to the sweep, like one that dies before enqueueing.
 */
export interface NextHops extends Adding {
  /**
   * Makes this process serve a queue, with a limited number of slots. Returns the function that the
   * queue's worker calls instead of `process`: it waits for a slot, because both ways share the slots,
   * and leaves the entry to other processes if there are any that may have a free slot.
   */
  serve<N extends QueueName>(queue: N, hop: Hop<N>): (payload: Payloads[N]) => Promise<void>
  /** From now on, adds every entry to its queue. Waits for entries in progress. */
  close(): Promise<void>
}

interface Hop<N extends QueueName> {
  slots: number
  /** Milliseconds before an entry created here is processed. */
  after: number
  /**
   * Head start in milliseconds of the first of several entries created together. The others take no slot
   * until then, and entries created meanwhile come after them.
   */
  ahead: number
  when(): boolean
  /** Milliseconds until a failed entry is taken from the queue. */
  pause: number
  process(payload: Payloads[N]): Promise<void>
}

interface OpenHop extends Omit<Hop<QueueName>, 'slots'> {
  slots: Slots
  /** Number of groups of entries that are held at the moment. */
  keeping: number
}

/** Entries that are held in this process for a moment. */
interface Kept {
  timer: NodeJS.Timeout
  add(): Promise<void>
}

/** How many of the entries created together can begin before the others. */
function mostAtOnce({ ahead, keeping }: OpenHop): number {
  if (ahead === 0) return Infinity
  return keeping === 0 ? 1 : 0
}

/** Passes entries to the next hop within a process, or through the queues if that is not possible. */
export function createNextHops(
  { enqueue: add, enqueueAll: addAll }: Adding,
  log: Context['log'],
): NextHops {
  const hops = new Map<QueueName, OpenHop>()
  const inProgress = new Set<Promise<void>>()
  const kept = new Set<Kept>()

  /** An entry that cannot be added is left to the sweep. */
  const addOrLeave: Enqueue = (queue, payload, options) =>
    add(queue, payload, options).catch((error: unknown) => {
      log.warn({ queue, payload, err: error }, 'entry was not enqueued')
    })

  const addOrLeaveAll: EnqueueAll = (queue, payloads) =>
    addAll(queue, payloads).catch((error: unknown) => {
      log.warn({ queue, entries: payloads.length, err: error }, 'entries were not enqueued')
    })

  async function processHere<N extends QueueName>(
    queue: N,
    payload: Payloads[N],
    { slots, pause, process }: OpenHop,
  ): Promise<void> {
    try {
      await process(payload)
    } catch (error) {
      const seconds = error instanceof Postponed ? error.seconds : null
      const delay = seconds === null ? pause : seconds * 1000
      log.debug({ queue, err: error }, 'entry is retried through its queue')
      await addOrLeave(queue, payload, { delay })
    } finally {
      slots.release()
    }
  }

  /** Returns whether the entry was begun in this process. */
  function begin<N extends QueueName>(queue: N, payload: Payloads[N], hop: OpenHop): boolean {
    if (!hop.when() || !hop.slots.tryTake()) return false
    const done = processHere(queue, payload, hop).finally(() => inProgress.delete(done))
    inProgress.add(done)
    return true
  }

  /** Milliseconds after which an entry without a slot goes to the queue. */
  function keep<N extends QueueName>(
    queue: N,
    payloads: readonly Payloads[N][],
    hop: OpenHop,
    ms: number,
  ): void {
    hop.keeping += 1
    const timer = setTimeout(() => {
      kept.delete(entries)
      hop.keeping -= 1
      void addOrLeaveAll(
        queue,
        payloads.filter((payload) => !begin(queue, payload, hop)),
      )
    }, ms)
    const entries: Kept = { timer, add: () => addOrLeaveAll(queue, payloads) }
    kept.add(entries)
  }

  const enqueueAll: EnqueueAll = async (queue, payloads) => {
    const hop = hops.get(queue)
    if (!hop) return addAll(queue, payloads)
    if (hop.after > 0) return keep(queue, payloads, hop, hop.after)
    const most = mostAtOnce(hop)
    const left = payloads.filter((payload, at) => at >= most || !begin(queue, payload, hop))
    if (hop.ahead > 0 && left.length > 0 && hop.when()) keep(queue, left, hop, hop.ahead)
    else await addAll(queue, left)
  }

  return {
    enqueue: (queue, payload, options) =>
      options === undefined ? enqueueAll(queue, [payload]) : add(queue, payload, options),

    enqueueAll,

    serve(queue, { slots: count, ...hop }) {
      const slots = createSlots(count)
      hops.set(queue, { ...hop, slots, keeping: 0 })
      const { process } = hop
      return async (payload) => {
        const isTaken = await slots.take(hop.when)
        if (!isTaken) throw new Postponed(new Error('no slot is free in this process'), 1)
        try {
          await process(payload)
        } finally {
          slots.release()
        }
      }
    },

    async close() {
      hops.clear()
      const left = [...kept]
      kept.clear()
      for (const { timer } of left) clearTimeout(timer)
      await Promise.all([...inProgress, ...left.map((entry) => entry.add())])
    },
  }
}
