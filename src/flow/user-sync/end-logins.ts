import { isLetIn } from '../../access/login-rights.ts'
import type { HeldToken } from '../../codehost/codehost.ts'
import { revokeTokensOf } from '../../store/tokens.ts'
import { findUser } from '../../store/users.ts'
import type { Context } from '../context.ts'
import { isNamed } from '../login/may-log-in.ts'

/**
 * Revokes the tokens and sessions of a user whom the settings do not let in any more: those who left the
 * organizations that they name, or whose logins they name no longer (D46). `token` is the user's own at
 * the code host; where there is none, and it depends on organizations, the user has to log in again.
 */
export async function endLoginsOfUnnamed(
  ctx: Context,
  userId: number,
  token: HeldToken | undefined,
): Promise<void> {
  const user = await findUser(ctx.db, userId)
  // A token of someone who has never logged in was made by the operator, who knew for whom.
  if (!user || user.first_logged_in_at === null) return
  const { people } = ctx.codehosts.codehost ?? {}
  const isIn =
    token !== undefined && people
      ? await isNamed(ctx, { people, token, user })
      : (isLetIn(user, ctx.config) ?? ctx.config.allowedOrganizations.length === 0)
  if (isIn !== false) return
  const purposes = ['api', 'feed', 'log', 'session'] as const
  const revoked = await revokeTokensOf(ctx.db, userId, { purposes, except: 0, now: ctx.now() })
  if (revoked === 0) return
  const words =
    'tokens were revoked: ALLOWED_LOGINS and ALLOWED_ORGANIZATIONS do not name their user'
  ctx.log.info({ user_id: userId, login: user.login, revoked }, words)
}
