import { catchUpAgain } from '../flow/catch-up/catch-up.ts'
import type { Context } from '../flow/context.ts'
import { archiveLogs } from '../flow/logs/archive-logs.ts'
import { syncDueUsers } from '../flow/people/request-user-sync.ts'
import { runDueCrons } from '../flow/repositories/run-due-crons.ts'
import { syncInstallations } from '../flow/repositories/sync-installations.ts'
import { noticeEndingTokens } from '../flow/tokens/notice-ending-tokens.ts'
import { deleteExpired } from '../flow/upkeep/retention.ts'
import { runIfDue, type Task, sweep, sweepAgain, sweepSeconds, tidy } from '../flow/upkeep/sweep.ts'

const hour = 60 * 60

// Events get lost, and the app may have been installed before this service knew of it.
const installations: Task = { name: 'installations', every: hour, run: syncInstallations }

/** Webhooks can get lost even while the service runs. */
const missed: Task = { name: 'catch-up', every: hour / 4, run: catchUpAgain }

/** The only table of repeated tasks and their intervals. */
const tasks: readonly Task[] = [
  { name: 'sweep', every: sweepSeconds, run: sweepAgain },
  { name: 'tidy', every: hour, run: tidy },
  { name: 'retention', every: hour, run: deleteExpired },
  { name: 'archive', every: 15, run: archiveLogs },
  { name: 'crons', every: 60, run: runDueCrons },
  { name: 'ending tokens', every: hour, run: noticeEndingTokens },
  missed,
  installations,
  { name: 'users', every: 10 * 60, run: syncDueUsers },
]

const lookEvery = 5000

/**
 * Runs each task that is due. A failed task runs again when it is next due. `pauses` has, by this
 * process's own clock, the time before which a task cannot be due: until then, it is not checked.
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
 * Enqueues all waiting work, then runs the repeated tasks until closed. The timer belongs to this
 * process and the claims are in the database, so nothing depends on the memory of a queue.
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

/** Looks for changes that happened while no process ran. */
async function lookUp(ctx: Context): Promise<void> {
  await syncInstallations(ctx).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'installations were not looked up')
  })
  // Immediately, whenever it last ran, and then not again before it is due.
  await runIfDue(ctx, { ...missed, every: 0 }).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'the search for missed events failed')
  })
}
