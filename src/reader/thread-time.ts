import { readFileSync, readlinkSync } from 'node:fs'

/** The number that the system has for the calling thread; 0 where it has no such list (not Linux). */
export function ownThread(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return 0
  }
}

/**
 * Milliseconds that a thread of this process has computed, so that other load on the machine does not
 * count. Where the system does not say, the time of day.
 */
export function threadTime(thread: number): number {
  return computed(thread) ?? performance.timeOrigin + performance.now()
}

function computed(thread: number): number | undefined {
  if (thread === 0) return undefined
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6 || undefined
  } catch {
    return undefined
  }
}
