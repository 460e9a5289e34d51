import { dropBodies } from '../store/deliveries.ts'
import type { Context } from './context.ts'

/** Deletes what is kept only for a while. */
export async function tidy({ db, now, config }: Context): Promise<void> {
  const kept = config.bodyRetentionDays * 24 * 60 * 60 * 1000
  await dropBodies(db, new Date(now().getTime() - kept))
}
