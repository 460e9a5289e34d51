import { afterAll, expect, test, vi } from 'vitest'
import { openReader } from '../../src/reader/open-reader.ts'
import { ReadingLimit, ReadingStopped } from '../../src/reader/reader.ts'
import { double, end, environment, fail, hoard, spin } from './works.js'

const terms = { turn: { of: 'calls', key: '' } } as const
const onError = vi.fn<(error: unknown) => void>()
const reader = openReader({ limits: { time: 300, megabytes: 32 }, threads: 1, onError })
afterAll(() => reader.close())

test('work is done in a thread, and its computing time is counted', async () => {
  const { result, spent } = await reader.run(double, 21, terms)
  expect(result).toBe(42)
  expect(spent).toBeGreaterThanOrEqual(0)
})

test('an error of the work is thrown, and the thread goes on', async () => {
  await expect(reader.run(fail, 'no such thing', terms)).rejects.toThrow('no such thing')
  expect(await reader.run(double, 1, terms)).toMatchObject({ result: 2 })
})

test('work that takes too long is ended with an explanation, and work waiting behind it is done', async () => {
  const [tooLong, behind] = await Promise.allSettled([
    reader.run(spin, null, terms),
    reader.run(double, 4, terms),
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

test('the time of earlier work counts towards the limit', async () => {
  await expect(reader.run(double, 4, { ...terms, spent: 300 })).rejects.toThrow(ReadingLimit)
  expect(await reader.run(double, 4, { ...terms, spent: 200 })).toMatchObject({ result: 8 })
})

test('work that needs too much memory is ended with an explanation, and work waiting behind it is done', async () => {
  const memory = openReader({ limits: { time: 60_000, megabytes: 16 }, threads: 1, onError })
  const [tooMuch, behind] = await Promise.allSettled([
    memory.run(hoard, null, terms),
    memory.run(double, 4, terms),
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

test('a thread that ends early fails only its own work', async () => {
  const [ended, behind] = await Promise.allSettled([
    reader.run(end, null, terms),
    reader.run(double, 4, terms),
  ])
  expect(ended.status).toBe('rejected')
  expect(behind).toMatchObject({ status: 'fulfilled', value: { result: 8 } })
})

test('threads cannot see the environment', async () => {
  vi.stubEnv('MASTER_KEY', 'secret')
  expect((await reader.run(environment, null, terms)).result).not.toHaveProperty('MASTER_KEY')
  vi.unstubAllEnvs()
})

test('a reader that stops ends its current work, and starts no more', async () => {
  const stopped = openReader({ limits: { time: 60_000, megabytes: 32 }, threads: 1, onError })
  const running = [stopped.run(spin, null, terms), stopped.run(spin, null, terms)]
  stopped.stop()
  const reasons = await Promise.all(running.map((each) => each.catch((error: unknown) => error)))
  expect(reasons).toEqual([new ReadingStopped(), new ReadingStopped()])
  await expect(stopped.run(double, 4, terms)).rejects.toThrow(ReadingStopped)
  await stopped.close()
})
