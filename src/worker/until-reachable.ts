import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../flow/context.ts'
import { isUnreachable } from '../store/unreachable.ts'

const milliseconds = 1000

/**
 * Does again what the database was not there for, until it is back or this process stops: the result
 * of a job that ended meanwhile would be lost otherwise.
 */
export async function untilReachable<T>(
  work: () => Promise<T>,
  { log, stopping }: Pick<Context, 'log'> & { stopping: AbortSignal },
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || stopping.aborted) throw error
      log.warn({ err: error }, 'the database cannot be reached: the result of a job is kept')
      await pause(milliseconds)
    }
  }
}
