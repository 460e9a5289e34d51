import type { Actor } from '../domain/audit.ts'
import { revokeTokensOf } from '../store/tokens.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { applications, issueToken } from './issue-token.ts'
import { transact } from './transact.ts'

/**
 * Makes a token with which the caller's feeds can be read and nothing else, and returns it: it cannot be
 * read again later (D25). It takes the place of the one before.
 */
export function makeFeedToken(ctx: Context, actor: Actor): Promise<string> {
  const { user } = actor
  return transact(ctx, async (tx) => {
    const revoked = { purposes: ['feed'], except: 0, now: tx.now() } as const
    await revokeTokensOf(tx.db, user.id, revoked)
    const token = await issueToken(tx, user, 'feeds', {
      application: applications.api,
      purpose: 'feed',
    })
    const subject = { subject_type: 'user', subject_id: user.id } as const
    await audit(tx, actor, { action: 'make_feed_token', ...subject })
    return token
  })
}
