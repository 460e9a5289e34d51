import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Enqueue, EntryOptions } from '../../src/queue/queues.ts'
import { Postponed } from '../../src/queue/work.ts'
import { createNextHops } from '../../src/worker/next-hops.ts'
import { testLog } from '../support/context.ts'
import { oneByOne } from '../support/one-by-one.ts'

interface Added {
  queue: string
  payload: unknown
  options?: EntryOptions
}

/** Hops with two slots for `request.accept`, whose work ends when the test decides. */
function scene({ after = 0, ahead = 0, when = (): boolean => true } = {}) {
  const added: Added[] = []
  const add: Enqueue = async (queue, payload, options) => {
    added.push(options ? { queue, payload, options } : { queue, payload })
  }
  const hops = createNextHops({ enqueue: add, enqueueAll: oneByOne(add) }, testLog)
  const running = new Map<number, { end(): void; fail(error: Error): void }>()
  const fromQueue = hops.serve('request.accept', {
    slots: 2,
    after,
    ahead,
    when,
    pause: 1000,
    process: ({ request_id }) =>
      new Promise<void>((end, fail) => running.set(request_id, { end, fail })),
  })
  const accept = (request_id: number, options?: EntryOptions) =>
    hops.enqueue('request.accept', { request_id }, options)
  return { added, hops, running, fromQueue, accept }
}

const entry = (request_id: number, options?: EntryOptions) => {
  const queue = 'request.accept'
  return options ? { queue, payload: { request_id }, options } : { queue, payload: { request_id } }
}

describe('the next hop', () => {
  test('runs here while a slot is free, and goes through the queue otherwise', async () => {
    const { accept, added, running } = scene()
    await accept(1)
    await accept(2)
    await accept(3)
    expect([...running.keys()]).toEqual([1, 2])
    expect(added).toEqual([entry(3)])

    running.get(1)?.end()
    await vi.waitFor(async () => {
      await accept(4)
      expect(running.has(4)).toBe(true)
    })
  })

  test('goes through the queue while this process must not run it', async () => {
    let may = false
    const { accept, added, running } = scene({ when: () => may })
    await accept(1)
    expect(added).toEqual([entry(1)])
    may = true
    await accept(2)
    expect([...running.keys()]).toEqual([2])
  })

  test('shares its slots with the worker of the queue, which waits for a free one', async () => {
    const { accept, added, running, fromQueue } = scene()
    await accept(1)
    await accept(2)
    const taken = fromQueue({ request_id: 3 })
    expect(running.has(3)).toBe(false)
    running.get(2)?.end()
    await vi.waitFor(() => expect(running.has(3)).toBe(true))
    await accept(4)
    expect(added).toEqual([entry(4)])
    running.get(3)?.end()
    await taken
  })

  test('from the queue is left to other workers once this process must not run it', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let may = true
    const { accept, running, fromQueue } = scene({ when: () => may })
    await accept(1)
    await accept(2)
    const left = fromQueue({ request_id: 3 }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(5000)
    expect(running.has(3)).toBe(false)
    may = false
    await vi.advanceTimersByTimeAsync(1000)
    expect(await left).toBeInstanceOf(Postponed)
    running.get(1)?.end()
    await vi.advanceTimersByTimeAsync(1000)
    expect(running.has(3)).toBe(false)
  })

  test('of several entries runs here as far as slots are free, and the other entries are added immediately', async () => {
    const { hops, added, running } = scene()
    await hops.enqueueAll(
      'request.accept',
      [1, 2, 3, 4].map((request_id) => ({ request_id })),
    )
    expect([...running.keys()]).toEqual([1, 2])
    expect(added).toEqual([entry(3), entry(4)])
    await hops.enqueueAll('job.run', [{ job_id: 5 }, { job_id: 6 }])
    expect(added.slice(2).map(({ payload }) => payload)).toEqual([{ job_id: 5 }, { job_id: 6 }])
  })

  test('of several entries starts the first one ahead of the others, if configured', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let may = true
    const { hops, added, running } = scene({ ahead: 30, when: () => may })
    await hops.enqueueAll(
      'request.accept',
      [1, 2, 3, 4, 5].map((request_id) => ({ request_id })),
    )
    expect([...running.keys()]).toEqual([1])
    await vi.advanceTimersByTimeAsync(29)
    expect([...running.keys()]).toEqual([1])
    expect(added).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect([...running.keys()]).toEqual([1, 2])
    expect(added).toEqual([entry(3), entry(4), entry(5)])

    // Other workers can claim it immediately.
    may = false
    await hops.enqueue('request.accept', { request_id: 6 })
    expect(added.slice(3)).toEqual([entry(6)])

    may = true
    await hops.enqueue('request.accept', { request_id: 7 })
    expect(added).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(10)
    running.get(1)?.end()
    await vi.advanceTimersByTimeAsync(10)
    await hops.enqueue('request.accept', { request_id: 8 })
    expect([...running.keys()]).toEqual([1, 2])
    await vi.advanceTimersByTimeAsync(10)
    expect([...running.keys()]).toEqual([1, 2, 7])
    for (const { end } of running.values()) end()
    await hops.close()
    expect(added.slice(4)).toEqual([entry(8)])
  })

  test('of several entries that wait for more urgent work is kept until then', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { hops, added, running } = scene({ after: 100 })
    await hops.enqueueAll('request.accept', [{ request_id: 1 }, { request_id: 2 }])
    expect(running.size).toBe(0)
    vi.advanceTimersByTime(100)
    expect([...running.keys()]).toEqual([1, 2])
    expect(added).toEqual([])
  })

  test('in another queue, or with a delay, goes through the queue', async () => {
    const { hops, accept, added } = scene()
    await accept(1, { delay: 5 })
    await accept(2, { once: 'sweep-2' })
    await hops.enqueue('job.run', { job_id: 3 })
    expect(added).toEqual([
      entry(1, { delay: 5 }),
      entry(2, { once: 'sweep-2' }),
      { queue: 'job.run', payload: { job_id: 3 } },
    ])
  })

  test.each([
    [new Error('no luck'), 1000],
    [new Postponed(new Error('away'), null), 1000],
    [new Postponed(new Error('away'), 7), 7000],
  ])('that fails is retried through the queue (%s)', async (error, delay) => {
    const { accept, added, running } = scene()
    await accept(1)
    running.get(1)?.fail(error)
    await vi.waitFor(() => expect(added).toEqual([entry(1, { delay })]))
  })

  test('waits for more urgent work, if configured, and goes through the queue when the process stops', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { accept, added, running, hops } = scene({ after: 100 })
    await accept(1)
    vi.advanceTimersByTime(99)
    expect(running.size).toBe(0)
    vi.advanceTimersByTime(1)
    expect([...running.keys()]).toEqual([1])

    await accept(2)
    running.get(1)?.end()
    await hops.close()
    expect(added).toEqual([entry(2)])
    vi.advanceTimersByTime(200)
    expect(running.has(2)).toBe(false)
  })

  test('is waited for when the process stops, and no further one starts', async () => {
    const { accept, added, running, hops } = scene()
    await accept(1)
    let closed = false
    const closing = hops.close().then(() => (closed = true))
    await accept(2)
    expect(added).toEqual([entry(2)])
    expect(closed).toBe(false)
    running.get(1)?.end()
    await closing
  })
})

test('run by the worker of a queue reports its failures to the worker', async () => {
  const { fromQueue, running, added } = scene()
  const taken = fromQueue({ request_id: 1 })
  await vi.waitFor(() => expect(running.has(1)).toBe(true))
  running.get(1)?.fail(new Error('no luck'))
  await expect(taken).rejects.toThrow('no luck')
  expect(added).toEqual([])
})
