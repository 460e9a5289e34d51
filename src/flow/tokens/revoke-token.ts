import type { Actor } from '../../domain/audit.ts'
import type { ListedToken } from '../../store/tokens/listed-tokens.ts'
import { revokeToken, revokeTokensOf } from '../../store/tokens/tokens.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'

/** Revokes a token immediately. */
export async function revokeOneToken(
  ctx: Context,
  { id, name, repository_id }: Pick<ListedToken, 'id' | 'name' | 'repository_id'>,
  actor: Actor,
): Promise<void> {
  await transact(ctx, async (tx) => {
    if (!(await revokeToken(tx.db, id, tx.now()))) return
    const subject =
      repository_id === null
        ? ({ subject_type: 'token', subject_id: id } as const)
        : ({ subject_type: 'repository', subject_id: repository_id } as const)
    await audit(tx, actor, { action: 'revoke_token', ...subject, changed: { token: id, name } })
  })
}

/**
 * Revokes all tokens and sessions of the caller except the one of the call, and returns their number.
 * Tokens of repositories stay, because they belong to no one.
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
