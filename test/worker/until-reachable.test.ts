import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { untilReachable } from '../../src/worker/processors/run-job.ts'
import { testLog } from '../support/context.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const unreachable = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

describe('the result of a job', () => {
  test('is stored once the database is back', async () => {
    const failures = [unreachable(), unreachable()]
    const stored = untilReachable(
      async () => {
        const failure = failures.pop()
        if (failure) throw failure
        return 'stored'
      },
      { log: testLog, stopping: new AbortController().signal },
    )
    await vi.advanceTimersByTimeAsync(2000)
    expect(await stored).toBe('stored')
  })

  test('is dropped when the process stops, or after any other error', async () => {
    const fail = (error: Error) => async () => {
      throw error
    }
    const stopping = AbortSignal.abort()
    await expect(
      untilReachable(fail(unreachable()), { log: testLog, stopping }),
    ).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const never = new AbortController().signal
    await expect(
      untilReachable(fail(new Error('a bug')), { log: testLog, stopping: never }),
    ).rejects.toThrow('a bug')
  })
})
