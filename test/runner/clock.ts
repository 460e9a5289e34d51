import type { Timers } from '../../src/runner/timers.ts'

/** Timers that stand still until they are moved. */
export interface Clock extends Timers {
  /** Lets time pass; calls back what falls due, and lets all that follows from it happen. */
  pass(ms: number): Promise<void>
  /** As when the process is stopped meanwhile: what fell due is called back late. */
  sleep(ms: number): Promise<void>
  /** How many calls are waited for. */
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

/** Resolves when all promises that could go on have gone on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
