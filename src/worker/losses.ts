import { setTimeout as sleep } from 'node:timers/promises'

/** Seconds in which losses count as one: whatever ends several machines does not end them at once. */
const togetherSeconds = 3

/** The jobs that a runner loses, to tell whether it was the job or the machine (D39). */
export interface Losses {
  /** To be called when a job was lost: resolves, after a moment, with how many others were as well. */
  others(): Promise<number>
}

/** `pause` waits so many seconds; it is given by tests. */
export function createLosses(
  pause: (seconds: number) => Promise<unknown> = (seconds) => sleep(seconds * 1000),
): Losses {
  let recent = 0
  return {
    async others() {
      recent += 1
      await pause(togetherSeconds)
      const others = recent - 1
      // It still counts for those that were lost last.
      void pause(togetherSeconds).then(() => (recent -= 1))
      return others
    },
  }
}
