import type { Actor } from '../../domain/audit.ts'
import { revokeToken } from '../../store/tokens/tokens.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'

/** Revokes the token with which this call is made. */
export async function logOut(ctx: Context, actor: Actor): Promise<void> {
  const { token_id, user } = actor
  if (token_id === null) return
  await transact(ctx, async (tx) => {
    if (!(await revokeToken(tx.db, token_id, tx.now()))) return
    await audit(tx, actor, { action: 'log_out', subject_type: 'user', subject_id: user.id })
  })
}
