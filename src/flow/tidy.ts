import { dropBodies } from '../store/deliveries.ts'
import type { Context } from './context.ts'

/** Deletes data whose retention has expired. */
export async function tidy({ db, config }: Context): Promise<void> {
  await dropBodies(db, config.bodyRetentionDays * 24 * 60 * 60)
}
