import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readLog } from '../../src/flow/logs/read-log.ts'
import type { Database } from '../../src/store/tables.ts'
import { testContext } from '../support/context.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A database with a log of three pages, which responds as the test specifies. */
function logOf(answer: (page: number) => Promise<unknown>): Database {
  let page = 0
  const executeQuery = async () => {
    page += 1
    await answer(page)
    const row = { attempt: 0, final: false, content: 'x', parts: 1, bytes: 64 * 1024 }
    return { rows: [{ ...row, number: page <= 3 ? page : null }] }
  }
  return { executeQuery } as unknown as Database
}

async function read(db: Database): Promise<number> {
  let parts = 0
  for await (const page of readLog(testContext(db), 1, { joined: true })) parts += page.length
  return parts
}

test('further pages of all logs are read one after the other', async () => {
  let reading = 0
  let most = 0
  const slow = () =>
    logOf(async (page) => {
      if (page === 1) return
      reading += 1
      most = Math.max(most, reading)
      await new Promise((resolve) => setTimeout(resolve, 100))
      reading -= 1
    })
  const all = Promise.all([read(slow()), read(slow()), read(slow())])
  await vi.advanceTimersByTimeAsync(1000)
  expect(await all).toEqual([3, 3, 3])
  expect(most).toBe(1)
})

test('a page whose response is lost does not hold up readers of other logs', async () => {
  const lost = read(logOf((page) => (page === 1 ? Promise.resolve() : new Promise(() => {}))))
  await vi.advanceTimersByTimeAsync(0)
  const other = read(logOf(() => Promise.resolve()))
  await vi.advanceTimersByTimeAsync(500)
  expect(await other).toBe(3)
  expect(await Promise.race([lost, Promise.resolve('waits')])).toBe('waits')
})

test('a page that fails does not use up the turn of another log', async () => {
  const failing = read(
    logOf((page) => (page === 1 ? Promise.resolve() : Promise.reject(new Error('gone')))),
  )
  await expect(failing).rejects.toThrow('gone')
  expect(await read(logOf(() => Promise.resolve()))).toBe(3)
})
