import { expect, test, vi } from 'vitest'
import { createDeliveryEnqueuer, mostInEntry } from '../../src/flow/deliveries/delivery-enqueuer.ts'
import type { Enqueue } from '../../src/queue/queues.ts'
import { testLog } from '../support/context.ts'
import { capturedLog } from '../support/log.ts'

/** An `enqueue` whose calls wait until the test resolves or rejects them. */
function heldQueue() {
  const calls: { ids: readonly number[]; end(error?: Error): Promise<void> }[] = []
  const enqueue = ((_name: string, payload: { delivery_ids: readonly number[] }) =>
    new Promise<void>((resolve, reject) => {
      calls.push({
        ids: payload.delivery_ids,
        async end(error) {
          if (error) reject(error)
          else resolve()
          await new Promise((after) => setImmediate(after))
        },
      })
    })) as Enqueue
  return { enqueue, calls, idsOf: () => calls.map(({ ids }) => ids) }
}

const noPause = async () => {}

test('all webhooks stored while an entry is added share the next entry', async () => {
  const { enqueue, calls, idsOf } = heldQueue()
  const enqueueDeliveries = createDeliveryEnqueuer({ enqueue, log: testLog }, noPause)
  enqueueDeliveries([1])
  enqueueDeliveries([2, 3])
  enqueueDeliveries([4])
  expect(idsOf()).toEqual([[1]])
  await calls[0]?.end()
  expect(idsOf()).toEqual([[1], [2, 3, 4]])
  await calls[1]?.end()
  enqueueDeliveries([5])
  expect(idsOf()).toEqual([[1], [2, 3, 4], [5]])
})

test('an entry lists no more webhooks than its maximum', async () => {
  const { enqueue, calls, idsOf } = heldQueue()
  const enqueueDeliveries = createDeliveryEnqueuer({ enqueue, log: testLog }, noPause)
  enqueueDeliveries([0])
  enqueueDeliveries(Array.from({ length: mostInEntry + 1 }, (_, index) => index + 1))
  await calls[0]?.end()
  await calls[1]?.end()
  expect(idsOf().map(({ length }) => length)).toEqual([1, mostInEntry, 1])
})

test('the next entry waits for the pause, and lists the webhooks stored meanwhile', async () => {
  const { enqueue, calls, idsOf } = heldQueue()
  const pauses: (() => void)[] = []
  const pause = () => new Promise<void>((resolve) => pauses.push(resolve))
  const enqueueDeliveries = createDeliveryEnqueuer({ enqueue, log: testLog }, pause)
  enqueueDeliveries([1])
  await calls[0]?.end()
  enqueueDeliveries([2])
  enqueueDeliveries([3])
  expect(idsOf()).toEqual([[1]])
  pauses[0]?.()
  await vi.waitFor(() => expect(idsOf()).toEqual([[1], [2, 3]]))
})

test('an entry that cannot be added is left to the sweep, and does not hold up later ones', async () => {
  const { enqueue, calls, idsOf } = heldQueue()
  const { log, lines } = capturedLog()
  const enqueueDeliveries = createDeliveryEnqueuer({ enqueue, log }, noPause)
  enqueueDeliveries([1])
  enqueueDeliveries([2])
  await calls[0]?.end(new Error('the queue is gone'))
  expect(idsOf()).toEqual([[1], [2]])
  expect(lines().map(({ msg }) => msg)).toEqual(['webhooks were not enqueued'])
})
