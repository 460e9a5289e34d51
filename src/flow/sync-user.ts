import { endUserSync, installationsOfUser } from '../store/user-syncs.ts'
import type { Context } from './context.ts'
import { syncInstallation } from './sync-installation.ts'

/**
 * Looks up the repositories of the installations on a user's own account and organizations, and ends
 * the user's sync.
 */
export async function syncUser(ctx: Context, userId: number): Promise<void> {
  for (const installation of await installationsOfUser(ctx.db, userId)) {
    await syncInstallation(ctx, installation)
  }
  await endUserSync(ctx.db, userId, ctx.now())
}
