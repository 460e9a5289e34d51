import type { Context } from './context.ts'
import { endSync } from './user-sync/end-sync.ts'

/**
 * Ends a user's sync after its last attempt has failed; the user can request the next one. One that was
 * wanted meanwhile begins now.
 */
export async function giveUpUserSync(ctx: Context, userId: number): Promise<void> {
  if (await endSync(ctx, userId, false)) await ctx.enqueue('user.sync', { user_id: userId })
}
