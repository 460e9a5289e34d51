import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { QueueConnection } from '../../src/queue/connection.ts'
import { openQueues, type Queues } from '../../src/queue/queue.ts'
import type { Payloads } from '../../src/queue/queues.ts'
import { openWorker, type OpenWorker, Postponed, type Work } from '../../src/queue/work.ts'

/** The contract of every backend of the queue. `connect` opens an empty one. */
export function queueContract(connect: () => Promise<QueueConnection>): void {
  let connection: QueueConnection
  let queues: Queues
  let workers: OpenWorker[]

  beforeEach(async () => {
    connection = await connect()
    queues = await openQueues(connection, () => {})
    workers = []
  })

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()))
    await queues.close()
    await connection.close()
  })

  async function work(given: Partial<Work<'request.accept'>>) {
    const worker = await openWorker('request.accept', connection, {
      concurrency: 2,
      attempts: 3,
      pause: 10,
      process: async () => {},
      onError() {},
      ...given,
    })
    workers.push(worker)
    return worker
  }

  const soon = (check: () => void | Promise<void>) =>
    vi.waitFor(check, { timeout: 20_000, interval: 20 })

  test('an entry is processed by one worker, once', async () => {
    const seen: Payloads['request.accept'][] = []
    const process = async (payload: Payloads['request.accept']) => void seen.push(payload)
    await work({ process })
    await work({ process })
    for (let id = 1; id <= 20; id++) await queues.enqueue('request.accept', { request_id: id })
    await soon(() => expect(seen).toHaveLength(20))
    const ids = seen.map(({ request_id }) => request_id).toSorted((a, b) => a - b)
    expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  test.each([3, 40])('%d entries added at once are processed in their order', async (count) => {
    const ids = Array.from({ length: count }, (_, index) => index + 1)
    await queues.enqueueAll(
      'request.accept',
      ids.map((request_id) => ({ request_id })),
    )
    expect((await queues.waiting())['request.accept']).toBe(count)
    const seen: number[] = []
    const process = async ({ request_id }: { request_id: number }) => void seen.push(request_id)
    await work({ concurrency: 1, process })
    await soon(() => expect(seen).toEqual(ids))
    expect(await queues.dead()).toEqual([])
  })

  test('an entry with a delay is processed even if the worker that received it closes', async () => {
    const seen: number[] = []
    const process = async ({ request_id }: { request_id: number }) => void seen.push(request_id)
    const first = await work({ process })
    await queues.enqueue('request.accept', { request_id: 1 }, { delay: 1000 })
    await soon(async () =>
      expect((await queues.counts()).some(({ delayed }) => delayed > 0)).toBe(true),
    )
    await work({ process })
    await first.close()
    await soon(() => expect(seen).toEqual([1]))
  })

  test('an entry that fails is retried as often as its processor allows', async () => {
    let tries = 0
    const gaveUp = vi.fn<() => Promise<void>>(async () => {})
    await work({
      giveUp: gaveUp,
      async process() {
        tries += 1
        if (tries < 3) throw new Error('not yet')
      },
    })
    await queues.enqueue('request.accept', { request_id: 1 })
    await soon(() => expect(tries).toBe(3))
    await soon(async () => expect((await queues.waiting())['request.accept']).toBe(0))
    expect(gaveUp).not.toHaveBeenCalled()
    expect(await queues.dead()).toEqual([])
  })

  test('an entry that never succeeds is given up, and listed among the dead entries', async () => {
    const given: number[] = []
    let tries = 0
    await work({
      async process() {
        tries += 1
        throw new Error('never')
      },
      giveUp: async ({ request_id }) => void given.push(request_id),
    })
    await queues.enqueue('request.accept', { request_id: 7 })
    await soon(() => expect(given).toEqual([7]))
    expect(tries).toBe(3)
    expect(await queues.dead()).toMatchObject([
      { queue: 'request.accept', payload: { request_id: 7 }, error: 'never' },
    ])
  })

  test('an entry that is postponed is retried later, any number of times, without counting as an attempt', async () => {
    let tries = 0
    const gaveUp = vi.fn<() => Promise<void>>(async () => {})
    const once = { once: 'postponed' }
    await work({
      giveUp: gaveUp,
      async process() {
        tries += 1
        // Its name stays in use, so no second one is added in the meantime.
        await queues.enqueue('request.accept', { request_id: 2 }, once)
        if (tries < 6) throw new Postponed(new Error('away'), 0.0105)
      },
    })
    await queues.enqueue('request.accept', { request_id: 1 }, once)
    await soon(() => expect(tries).toBe(6))
    await soon(async () => expect((await queues.waiting())['request.accept']).toBe(0))
    expect(tries).toBe(6)
    expect(gaveUp).not.toHaveBeenCalled()
    expect(await queues.dead()).toEqual([])
  })

  test('while an entry with a name waits, no second one is added; afterwards a new one can be', async () => {
    const seen: number[] = []
    const once = { once: 'sweep-1' }
    await queues.enqueue('request.accept', { request_id: 1 }, once)
    await queues.enqueue('request.accept', { request_id: 2 }, once)
    await work({ process: async ({ request_id }) => void seen.push(request_id) })
    await soon(() => expect(seen).toEqual([1]))
    await soon(async () => {
      await queues.enqueue('request.accept', { request_id: 3 }, once)
      expect(seen).toContain(3)
    })
  })

  test('an entry with a delay is processed when it is due', async () => {
    const seen: number[] = []
    await work({ process: async ({ request_id }) => void seen.push(request_id) })
    await queues.enqueue('request.accept', { request_id: 1 }, { delay: 300 })
    await queues.enqueue('request.accept', { request_id: 2 })
    await soon(() => expect(seen).toEqual([2, 1]))
  })

  test('closing a worker waits for the entry in progress, and claims no other', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const log: string[] = []
    const worker = await work({
      concurrency: 1,
      async process({ request_id }) {
        log.push(`begin ${request_id}`)
        await held
        log.push(`end ${request_id}`)
      },
    })
    await queues.enqueue('request.accept', { request_id: 1 })
    await soon(() => expect(log).toEqual(['begin 1']))
    await queues.enqueue('request.accept', { request_id: 2 })
    const closed = worker.close().then(() => log.push('closed'))
    release()
    await closed
    expect(log).toEqual(['begin 1', 'end 1', 'closed'])
    expect((await queues.waiting())['request.accept']).toBe(1)
    expect(await queues.counts()).toContainEqual({
      name: 'request.accept',
      waiting: 1,
      delayed: 0,
      active: 0,
      failed: 0,
    })
  })

  test('a paused worker leaves entries to others, except those it has already claimed', async () => {
    const own: number[] = []
    const others: number[] = []
    const paused = await work({ process: async ({ request_id }) => void own.push(request_id) })
    await queues.enqueue('request.accept', { request_id: 1 })
    await soon(() => expect(own).toEqual([1]))
    await paused.pause()
    for (let id = 2; id <= 6; id++) await queues.enqueue('request.accept', { request_id: id })
    const other = await work({ process: async ({ request_id }) => void others.push(request_id) })
    await soon(() => expect(own.length + others.length).toBe(6))
    // The worker can wait for one entry, and request another one as it finishes the first.
    expect(own.length).toBeLessThanOrEqual(3)

    await other.close()
    paused.resume()
    await queues.enqueue('request.accept', { request_id: 7 })
    await soon(() => expect(own).toContain(7))
  })

  test('a dead entry does not block a new entry with its name', async () => {
    const seen: number[] = []
    await work({
      attempts: 1,
      async process({ request_id }) {
        seen.push(request_id)
        throw new Error('never')
      },
    })
    const once = { once: 'sweep-1' }
    await queues.enqueue('request.accept', { request_id: 1 }, once)
    await soon(async () => expect(await queues.dead()).toHaveLength(1))
    await queues.enqueue('request.accept', { request_id: 2 }, once)
    await soon(() => expect(seen).toEqual([1, 2]))
  })
}
