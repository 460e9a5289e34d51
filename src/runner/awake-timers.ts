import type { Timers } from './timers.ts'

const tick = 1000
const longestDelay = 5000

/**
 * Timers that count only time in which this process runs: not that of a suspended machine or of a
 * stopped process, which nobody used. They notice it by ticks that come much too late, and never
 * end with such a tick, so that what happened meanwhile is seen first.
 */
export function awakeTimers(timers: Timers): Timers {
  return {
    now: () => timers.now(),

    after(ms, call) {
      let stop: () => void
      function wait(left: number): void {
        const asked = Math.min(left, tick)
        const begun = timers.now()
        stop = timers.after(asked, () => {
          const passed = timers.now() - begun
          if (passed > asked + longestDelay) return wait(Math.max(left - asked, asked))
          if (passed >= left) return call()
          wait(left - passed)
        })
      }
      wait(ms)
      return () => stop()
    },
  }
}
