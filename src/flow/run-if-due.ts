import { claimTask } from '../store/tasks.ts'
import type { Context } from './context.ts'

/** Something that is done again and again, by one process at a time. */
export interface Task {
  name: string
  /** Seconds between two runs. */
  every: number
  /** `after`: seconds since the last run, here or in another process; null for the first one. */
  run(ctx: Context, after: number | null): Promise<void>
}

/**
 * Runs a task, unless it was run within its interval, here or in another process (D40). Returns after
 * how many seconds it can be due again.
 */
export async function runIfDue(ctx: Context, { name, every, run }: Task): Promise<number> {
  const { claimed, after } = await claimTask(ctx.db, name, every)
  if (!claimed) return every - (after ?? 0)
  await run(ctx, after)
  return every
}
