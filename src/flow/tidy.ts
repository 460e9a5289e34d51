import { dropBodies } from '../store/deliveries.ts'
import { dropLoginStates } from '../store/login-states.ts'
import type { Context } from './context.ts'

/** Deletes data whose retention has expired. */
export async function tidy({ db, config, now }: Context): Promise<void> {
  await dropLoginStates(db, now())
  await dropBodies(db, config.bodyRetentionDays * 24 * 60 * 60)
}
