import type { User } from '../../domain/owner.ts'
import { hashToken } from '../../secrets/token.ts'
import { findListedToken, type ListedToken } from '../../store/tokens/listed-tokens.ts'
import { revokeSession } from '../../store/tokens/tokens.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'
import { applications, issueToken } from './issue-token.ts'
import { useToken } from './use-token.ts'

interface Exchange {
  /** A token of this service, with which a user of this machine logs in. */
  token: string
  /** A login issues a session, which is valid only for the pages. */
  by: 'handshake' | 'exchange' | 'login'
  /** The browser's previous session, which ends with the exchange. */
  session?: string | undefined
  /** Address of the caller. */
  address: string
}

/**
 * Issues a new token to the user of a valid token, with the same scopes, which is revoked with it.
 * Undefined if the given token is invalid, or has limits that the new one would not have.
 */
export async function exchangeToken(
  ctx: Context,
  { token, by, session, address }: Exchange,
): Promise<{ user: User; token: string } | undefined> {
  const { user, scopes, token_id = null } = (await useToken(ctx, token)) ?? { scopes: [] }
  const given =
    token_id === null ? undefined : await findListedToken(ctx.db, { id: token_id }, ctx.now())
  if (!user || !given || isLimited(given)) return
  const purpose = by === 'login' ? 'session' : 'api'
  const application = applications[by === 'exchange' ? 'exchange' : 'handshake']
  return transact(ctx, async (tx) => {
    if (session !== undefined) await revokeSession(tx.db, hashToken(session), tx.now())
    const issued = await issueToken(tx, user, by, {
      scopes,
      application,
      purpose,
      parent_id: token_id,
    })
    await audit(
      tx,
      { user, token_id, address },
      { action: 'issue_token', subject_type: 'user', subject_id: user.id, changed: { by } },
    )
    return { user, token: issued }
  })
}

function isLimited({ repository_id, repository_ids, ends_at }: ListedToken): boolean {
  return repository_id !== null || repository_ids !== null || ends_at !== null
}
