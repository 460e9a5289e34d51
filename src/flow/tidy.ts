import { dropBodies } from '../store/deliveries.ts'
import type { Context } from './context.ts'

/** Deletes data whose retention has expired. */
export async function tidy({ db, now, config }: Context): Promise<void> {
  const retention = config.bodyRetentionDays * 24 * 60 * 60 * 1000
  await dropBodies(db, new Date(now().getTime() - retention))
}
