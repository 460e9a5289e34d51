import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { bodyBudget } from '../../../src/http/bodies/body-budget.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A body of which so many bytes have arrived. */
function opener(most: number) {
  const budget = bodyBudget(most)
  return async (network: string, bytes: number) => {
    const payload = new PassThrough()
    const body = budget.count(payload, { network, seconds: 10 })
    const failed = new Promise<Error>((resolve) => body.once('error', resolve))
    body.resume()
    payload.write(Buffer.alloc(bytes))
    await Promise.race([once(body, 'data'), failed])
    return { body, payload, failed }
  }
}

test('the network that holds the most bytes loses its oldest bodies, however small each of them is', async () => {
  const arrive = opener(1000)
  const small = []
  for (let count = 0; count < 90; count += 1) small.push(await arrive('attacker', 10))
  const webhook = await arrive('code host', 400)
  expect(webhook.body.destroyed).toBe(false)
  expect(small.map(({ body }) => body.destroyed)).toEqual(
    Array.from({ length: 90 }, (_none, index) => index < 30),
  )
  expect(await small[0]?.failed).toMatchObject({
    kind: 'unavailable',
    message: 'too many large bodies at once: send this one again later',
    details: { retry_after: 30 },
  })
})

test('a body must arrive in time', async () => {
  vi.useFakeTimers()
  const body = bodyBudget(1000).count(new PassThrough(), { network: 'a', seconds: 10 })
  const failed = new Promise((resolve) => body.once('error', resolve))
  vi.advanceTimersByTime(9999)
  expect(body.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(await failed).toMatchObject({
    message: 'the body did not arrive within 10 s: send it again',
  })
})

test('a body that is not read does not block its connection', async () => {
  vi.useFakeTimers()
  const payload = new PassThrough()
  const body = bodyBudget(1000).count(payload, { network: 'a', seconds: 10 })
  const closed = new Promise((resolve) => body.once('close', resolve))
  vi.advanceTimersByTime(10_000)
  await closed
  expect(payload.readableFlowing).toBe(true)
})
