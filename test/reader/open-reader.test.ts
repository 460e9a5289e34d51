import { afterAll, expect, test, vi } from 'vitest'
import { openReader } from '../../src/reader/open-reader.ts'
import { ReadingLimit } from '../../src/reader/reader.ts'
import { double, end, environment, fail, hoard, spin } from './works.ts'

const onError = vi.fn<(error: unknown) => void>()
const reader = openReader({ limits: { time: 300, megabytes: 32 }, threads: 1, onError })
afterAll(() => reader.close())

test('work is done in a thread, and what it took is counted', async () => {
  const { result, spent } = await reader.run(double, 21)
  expect(result).toBe(42)
  expect(spent).toBeGreaterThanOrEqual(0)
})

test('what the work throws is thrown, and the thread goes on', async () => {
  await expect(reader.run(fail, 'no such thing')).rejects.toThrow('no such thing')
  expect(await reader.run(double, 1)).toMatchObject({ result: 2 })
})

test('what takes too long is ended, and says so; what waits behind it is done', async () => {
  const [tooLong, behind] = await Promise.allSettled([
    reader.run(spin, null),
    reader.run(double, 4),
  ])
  expect(tooLong).toMatchObject({
    status: 'rejected',
    reason: new ReadingLimit(
      'it takes more than 0.3 s of computing time to read: make the build file shorter, or its ' +
        'lists and its matrix smaller',
      300,
    ),
  })
  expect(behind).toMatchObject({ status: 'fulfilled', value: { result: 8 } })
})

test('what needs too much memory is ended, and says so; what waits behind it is done', async () => {
  const memory = openReader({ limits: { time: 60_000, megabytes: 16 }, threads: 1, onError })
  const [tooMuch, behind] = await Promise.allSettled([
    memory.run(hoard, null),
    memory.run(double, 4),
  ])
  expect(tooMuch).toMatchObject({
    status: 'rejected',
    reason: expect.objectContaining({
      message:
        'it takes more than 16 MB of memory to read: make the build file shorter, or its lists ' +
        'and its matrix smaller',
    }) as unknown,
  })
  expect(behind).toMatchObject({ status: 'fulfilled', value: { result: 8 } })
  await memory.close()
})

test('a thread that ends by itself fails its own work alone', async () => {
  const [ended, behind] = await Promise.allSettled([reader.run(end, null), reader.run(double, 4)])
  expect(ended.status).toBe('rejected')
  expect(behind).toMatchObject({ status: 'fulfilled', value: { result: 8 } })
})

test('threads know nothing of the environment', async () => {
  vi.stubEnv('MASTER_KEY', 'secret')
  expect((await reader.run(environment, null)).result).not.toHaveProperty('MASTER_KEY')
  vi.unstubAllEnvs()
})
