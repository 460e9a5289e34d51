import { CodehostError, type HeldToken } from '../../codehost/codehost.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { workAlone } from '../../store/sql/locks.ts'
import type { CodehostToken } from '../../store/tables.ts'
import { dropCodehostToken, findCodehostToken } from '../../store/tokens/codehost-tokens.ts'
import type { Context } from '../context.ts'
import { storeGrant } from './store-grant.ts'

/** Milliseconds for which a token must still be valid to be used. */
const spare = 5 * 60 * 1000

/**
 * The token with which the code host is read for a user; undefined if there is none, until the user
 * logs in again. An expired token is refreshed first. Only one caller does that, because a refresh token
 * works once; for concurrent callers the code host counts as unreachable.
 */
export async function userToken(ctx: Context, userId: number): Promise<HeldToken | undefined> {
  const known = await findCodehostToken(ctx.db, userId)
  if (!known || !isEnding(ctx, known)) return known && opened(ctx, known)
  let token: HeldToken | undefined
  const isDone = await workAlone(ctx.db, `codehost-token:${userId}`, async (db) => {
    token = await refreshed({ ...ctx, db }, userId)
  })
  if (isDone) return token
  const message = 'the token of this user is being refreshed: try again in a moment'
  throw new CodehostError(message, { kind: 'away' })
}

/** Drops a token that the code host has refused, unless another one has replaced it in the meantime. */
export async function dropUserToken(ctx: Context, userId: number, token: string): Promise<void> {
  const known = await findCodehostToken(ctx.db, userId)
  if (known && opened(ctx, known).token === token) await dropCodehostToken(ctx.db, known)
}

/** Refreshes a token under the lock, unless another caller has done that in the meantime. */
async function refreshed(ctx: Context, userId: number): Promise<HeldToken | undefined> {
  const known = await findCodehostToken(ctx.db, userId)
  if (!known || !isEnding(ctx, known)) return known && opened(ctx, known)
  const { logins } = ctx.codehosts.codehost?.people ?? {}
  const { sealed_refresh_token } = known
  if (sealed_refresh_token !== null) {
    if (!logins) {
      const message = 'GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET are needed to refresh tokens'
      throw new CodehostError(message, { kind: 'refused' })
    }
    const record = sealedIn.codehostToken(userId)
    const grant = await logins.refresh(ctx.sealer.openText(record, sealed_refresh_token))
    if (grant) {
      await storeGrant(ctx, userId, grant)
      return grant
    }
  }
  await dropCodehostToken(ctx.db, known)
  ctx.log.info({ user_id: userId }, 'a code host token expired: its user must log in again')
  return undefined
}

function isEnding({ now }: Pick<Context, 'now'>, { expires_at }: CodehostToken): boolean {
  return expires_at !== null && expires_at.getTime() - now().getTime() < spare
}

function opened(
  { sealer }: Pick<Context, 'sealer'>,
  { user_id, sealed_token, issued_at }: CodehostToken,
): HeldToken {
  return { token: sealer.openText(sealedIn.codehostToken(user_id), sealed_token), issued_at }
}
