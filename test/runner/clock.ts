import type { Timers } from '../../src/runner/timers.ts'

/** Timers that stand still until they are moved. */
export interface Clock extends Timers {
  /** Lets time pass: calls back timers that fall due, and waits for everything that follows. */
  pass(ms: number): Promise<void>
  /** As if the process was suspended in the meantime: timers that fell due are called back late. */
  sleep(ms: number): Promise<void>
  /** The number of pending timers. */
  waiting(): number
}

export function createClock(): Clock {
  let now = 0
  let calls: { at: number; call: () => void }[] = []

  return {
    now: () => now,

    after(ms, call) {
      const entry = { at: now + ms, call }
      calls.push(entry)
      return () => {
        calls = calls.filter((other) => other !== entry)
      }
    },

    async pass(ms) {
      const end = now + ms
      await settled()
      for (let next = earliest(); next && next.at <= end; next = earliest()) {
        const due = next
        now = due.at
        calls = calls.filter((other) => other !== due)
        due.call()
        await settled()
      }
      now = end
    },

    async sleep(ms) {
      await settled()
      now += ms
      const due = calls.filter(({ at }) => at <= now)
      calls = calls.filter(({ at }) => at > now)
      for (const { call } of due.toSorted((a, b) => a.at - b.at)) call()
      await settled()
    },

    waiting: () => calls.length,
  }

  function earliest() {
    return calls.toSorted((a, b) => a.at - b.at)[0]
  }
}

/** Resolves when all promises that could settle have settled. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
