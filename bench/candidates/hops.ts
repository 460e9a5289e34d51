import type { Around } from '../../src/worker/worker.ts'

export interface Hops {
  /** To be handed to the service, which calls it around each hop of the story. */
  around: Around
  /** Resolves when nothing is under way, and nothing has been for so many milliseconds. */
  rest(quiet?: number): Promise<void>
}

/** Watches what the service does after it has responded. */
export function watchHops(): Hops {
  let underWay = 0
  let last = performance.now()
  let wake: (() => void) | undefined

  return {
    async around(_hop, work) {
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
        last = performance.now()
        if (underWay === 0) wake?.()
      }
    },
    async rest(quiet = 0) {
      for (;;) {
        if (underWay > 0) await new Promise<void>((resolve) => (wake = resolve))
        const left = last + quiet - performance.now()
        if (underWay === 0 && left <= 0) return
        if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
      }
    },
  }
}
