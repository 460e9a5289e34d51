import type { Context } from '../flow/context.ts'
import { sweep } from '../flow/sweep.ts'
import { syncInstallations } from '../flow/sync-installations.ts'
import { tidy } from '../flow/tidy.ts'

interface Task {
  /** Milliseconds between two runs. */
  every: number
  run(ctx: Context): Promise<void>
}

const minute = 60_000

/** The one table of what runs when. Each run happens in one of several processes. */
export const tasks: Readonly<Record<string, Task>> = {
  sweep: { every: minute / 2, run: (ctx) => sweep(ctx) },
  tidy: { every: 60 * minute, run: tidy },
  // Events get lost, and the app may have been installed before this service knew of it.
  installations: { every: 60 * minute, run: syncInstallations },
}
