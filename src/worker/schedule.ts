import { catchUpAgain } from '../flow/catch-up.ts'
import type { Context } from '../flow/context.ts'
import { noticeEndingTokens } from '../flow/notice-ending-tokens.ts'
import { runDueCrons } from '../flow/run-due-crons.ts'
import { runIfDue, type Task } from '../flow/run-if-due.ts'
import { sweep, sweepAgain, sweepSeconds } from '../flow/sweep.ts'
import { syncDueUsers } from '../flow/sync-due-users.ts'
import { syncInstallations } from '../flow/sync-installations.ts'
import { tidy } from '../flow/tidy.ts'

const hour = 60 * 60

// Events get lost, and the app may have been installed before this service knew of it.
const installations: Task = { name: 'installations', every: hour, run: syncInstallations }

/** Webhooks get lost as well while the service runs. */
const missed: Task = { name: 'catch-up', every: hour / 4, run: catchUpAgain }

/** The one table of what runs when. */
const tasks: readonly Task[] = [
  { name: 'sweep', every: sweepSeconds, run: sweepAgain },
  { name: 'tidy', every: hour, run: tidy },
  { name: 'crons', every: 60, run: runDueCrons },
  { name: 'ending tokens', every: hour, run: noticeEndingTokens },
  missed,
  installations,
  { name: 'users', every: 10 * 60, run: syncDueUsers },
]

const lookEvery = 5000

/**
 * Runs each task that is due. One that fails is run again when it is due the next time. `pauses` has
 * the times, by this process's own clock, before which none of a name can be due: they are not looked at.
 */
export async function runDueTasks(ctx: Context, pauses = new Map<string, number>()): Promise<void> {
  for (const task of tasks) {
    if (performance.now() < (pauses.get(task.name) ?? 0)) continue
    try {
      const seconds = await runIfDue(ctx, task)
      pauses.set(task.name, performance.now() + seconds * 1000)
    } catch (error) {
      ctx.log.warn({ task: task.name, err: error }, 'a repeated task failed')
    }
  }
}

/**
 * Enqueues all that waits, then runs the repeated tasks until it is closed. The timer is this
 * process's own and the claims are in the database, so nothing depends on what a queue remembers.
 */
export async function startSchedule(ctx: Context): Promise<{ close(): Promise<void> }> {
  await sweep(ctx, 0)
  let running = lookUp(ctx)
  const pauses = new Map<string, number>()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = runDueTasks(ctx, pauses).finally(() => (busy = false))
  }, lookEvery)
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}

/** What may have changed while no process ran. */
async function lookUp(ctx: Context): Promise<void> {
  await syncInstallations(ctx).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'installations were not looked up')
  })
  // At once, whenever it was done last, and not again before it is due.
  await runIfDue(ctx, { ...missed, every: 0 }).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'what was missed was not looked for')
  })
}
