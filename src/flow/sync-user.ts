import { workAlone } from '../store/locks.ts'
import { endUserSync, installationsOfUser, isSyncing } from '../store/user-syncs.ts'
import type { Context } from './context.ts'
import { syncInstallation } from './sync-installation.ts'

/**
 * Looks up the repositories of the installations on a user's own account and organizations, and ends
 * the user's sync. An entry that comes twice does nothing while the first one is processed, nor later.
 */
export async function syncUser(ctx: Context, userId: number): Promise<void> {
  await workAlone(ctx.db, `user-sync:${userId}`, async (db) => {
    if (!(await isSyncing(db, userId))) return
    for (const installation of await installationsOfUser(db, userId)) {
      await syncInstallation(ctx, installation)
    }
    await endUserSync(db, userId, ctx.now())
  })
}
