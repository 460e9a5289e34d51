import type { Actor } from '../domain/audit.ts'
import { revokeTokensOf } from '../store/tokens.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/**
 * Has all tokens and sessions of the caller end but the one of the call, and returns how many that
 * were. Tokens of repositories stay, since they belong to no one.
 */
export function revokeAllTokens(ctx: Context, actor: Actor): Promise<number> {
  const { user, token_id } = actor
  return transact(ctx, async (tx) => {
    const purposes = ['api', 'feed', 'log', 'session'] as const
    const except = token_id ?? 0
    const revoked = await revokeTokensOf(tx.db, user.id, { purposes, except, now: tx.now() })
    const subject = { subject_type: 'user', subject_id: user.id } as const
    await audit(tx, actor, { action: 'revoke_all_tokens', ...subject, changed: { revoked } })
    return revoked
  })
}
