import { setTimeout as sleep } from 'node:timers/promises'
import { retryPause } from '../domain/job/loss.ts'
import type { Context } from '../flow/context.ts'
import { noteProblem } from '../flow/upkeep/sweep.ts'
import type { Executor } from '../runner/executor.ts'

/** Pauses and resumes the taking of jobs. */
export interface Gate {
  pause(): Promise<void>
  resume(): void
}

/** Keeps a runner from taking jobs while its machine cannot start any (D39). */
export interface Rest {
  /** Sets the gate through which jobs come in, which exists only once the runner takes jobs. */
  guard(gate: Gate): void
  /** True while the runner rests. An entry may still arrive. */
  isResting(): boolean
  /** To be called when a job could not be started: tries the machine, and rests until it works. */
  consider(): Promise<void>
}

export interface Resting {
  ctx: Context
  id: string
  executor: Pick<Executor, 'tryOut'>
  stopping: AbortSignal
  /** Waits for that many seconds; replaced in tests. */
  pause?: (seconds: number) => Promise<unknown>
}

export function createRest({ ctx, id, executor, stopping, ...given }: Resting): Rest {
  const pause = given.pause ?? wait
  let gate: Gate | undefined
  let considering: Promise<void> | undefined
  let resting = false

  async function rest(): Promise<void> {
    let problem = await executor.tryOut()
    if (problem === undefined) return
    resting = true
    await gate?.pause()
    for (let tries = 0; problem !== undefined && !stopping.aborted; tries++) {
      ctx.log.error({ runner: id, problem }, 'this runner cannot start jobs, and takes none')
      await note(problem)
      await pause(retryPause(tries))
      problem = await executor.tryOut()
    }
    if (stopping.aborted) return
    resting = false
    await note(null)
    ctx.log.info({ runner: id }, 'this runner can start jobs again, and takes them')
    gate?.resume()
  }

  function wait(seconds: number): Promise<unknown> {
    return sleep(seconds * 1000, undefined, { signal: stopping }).catch(() => {})
  }

  async function note(problem: string | null): Promise<void> {
    await noteProblem(ctx, id, problem).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the state of the runner could not be stored')
    })
  }

  return {
    guard: (given) => void (gate = given),
    isResting: () => resting,
    consider: () =>
      (considering ??= rest()
        .catch((error: unknown) => ctx.log.error({ err: error }, 'the test of the runner failed'))
        .finally(() => (considering = undefined))),
  }
}
