import type { CodehostToken } from '../store/tables.ts'
import { CodehostError, type HeldToken } from '../codehost/codehost.ts'
import { sealedIn } from '../secrets/sealed-records.ts'
import { dropCodehostToken, findCodehostToken } from '../store/codehost-tokens.ts'
import { workAlone } from '../store/locks.ts'
import type { Context } from './context.ts'
import { storeGrant } from './login/store-grant.ts'

/** Milliseconds that a token is valid for at least. */
const spare = 5 * 60 * 1000

/**
 * The token with which the code host is read for a user; undefined where there is none any more, until
 * the user logs in again. One that has ended is refreshed first; of several callers one does that,
 * since what it is refreshed with works once, and to the others that counts as unreachable for now.
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

/** Drops a token that the code host has refused, unless another one has taken its place meanwhile. */
export async function dropUserToken(ctx: Context, userId: number, token: string): Promise<void> {
  const known = await findCodehostToken(ctx.db, userId)
  if (known && opened(ctx, known).token === token) await dropCodehostToken(ctx.db, known)
}

/** Under the lock: someone else may have done it meanwhile. */
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
  ctx.log.info({ user_id: userId }, 'a token of the code host ended: its user has to log in again')
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
