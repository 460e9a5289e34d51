import { setTimeout as sleep } from 'node:timers/promises'

/** Seconds within which losses count as one: a common cause does not end several machines at once. */
const togetherSeconds = 3

/** The jobs that a runner loses, to determine whether the job or the machine was the cause (D39). */
export interface Losses {
  /** Must be called when a job was lost. Resolves, after a moment, to the number of other losses. */
  others(): Promise<number>
}

/** `pause` waits for that many seconds; tests replace it. */
export function createLosses(
  pause: (seconds: number) => Promise<unknown> = (seconds) => sleep(seconds * 1000),
): Losses {
  let recent = 0
  return {
    async others() {
      recent += 1
      await pause(togetherSeconds)
      const others = recent - 1
      // The loss still counts for the jobs that were lost last.
      void pause(togetherSeconds).then(() => (recent -= 1))
      return others
    },
  }
}
