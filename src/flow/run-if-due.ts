import { claimTask } from '../store/tasks.ts'
import type { Context } from './context.ts'

/** Something that is done again and again, by one process at a time. */
export interface Task {
  name: string
  /** Seconds between two runs. */
  every: number
  run(ctx: Context): Promise<void>
}

/** Runs a task, unless it was run within its interval, here or in another process (D40). */
export async function runIfDue(ctx: Context, { name, every, run }: Task): Promise<void> {
  if (await claimTask(ctx.db, name, every)) await run(ctx)
}
