import { isWhole, tokenScopes } from '../../../access/scopes.ts'
import { tokenRights } from '../../../access/token-rights.ts'
import { insufficientAccess, loginRequired, ServiceError } from '../../../domain/errors.ts'
import type { User } from '../../../domain/owner.ts'
import { requestUserSync } from '../../../flow/people/request-user-sync.ts'
import { logOut } from '../../../flow/tokens/log-out.ts'
import { makeFeedToken, makeToken } from '../../../flow/tokens/make-token.ts'
import { revokeAllTokens, revokeOneToken } from '../../../flow/tokens/revoke-token.ts'
import { findCodehostToken } from '../../../store/tokens/codehost-tokens.ts'
import {
  findFeedToken,
  findListedToken,
  tokensOfUser,
} from '../../../store/tokens/listed-tokens.ts'
import { redirect, withCookie, withHeaders } from '../../core/answer.ts'
import { type Call, get, post } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { userSync } from '../../identity/rate-limits.ts'
import { sessionCookie } from '../../identity/session.ts'
import { settingCount, requiredText } from '../../parameters/fields.ts'
import { flag } from '../../parameters/kinds.ts'
import { scopeList } from '../../parameters/token-fields.ts'
import { asPage } from '../as-page.tsx'
import { pageNumberIn } from '../parts/pager.tsx'
import { homePath, profilePath } from '../paths.ts'
import { type MadeToken, ProfilePage } from './page.tsx'

const show = asPage(ProfilePage)
const mostTokens = 100
const mostDays = 3650
const day = 24 * 60 * 60 * 1000

/** Throws unless the caller's token has all rights of its user: no other token can manage tokens. */
function managing({ viewer }: Call): void {
  if (!isWhole(viewer)) throw insufficientAccess('token', 'write')
}

export const profilePages = [
  get('/profile', { login: true, answer: (call) => shown(call) }),

  post('/profile/tokens', {
    login: true,
    check: managing,
    accepts: {
      name: requiredText(),
      scopes: scopeList(tokenScopes),
      sees_private: flag(),
      days: settingCount(),
    },
    async answer(call, { name, scopes, sees_private, days = 0 }) {
      const { ctx } = call
      const most = Math.min(days, mostDays)
      const ends_at = most === 0 ? null : new Date(ctx.now().getTime() + most * day)
      const given = { name, scopes, seesPrivate: sees_private, repository_ids: null, ends_at }
      const { token } = await makeToken(ctx, given, actorOf(call))
      // The token is shown in the response itself: only its hash is stored, and, sealed for a minute or two,
      // the response to a second click.
      return shown(call, { name, token })
    },
  }),

  post('/profile/feed_token', {
    login: true,
    check: managing,
    async answer(call) {
      return shown(call, { name: 'for feeds', token: await makeFeedToken(call.ctx, actorOf(call)) })
    },
  }),

  post('/profile/tokens/:token/revoke', {
    login: true,
    type: 'token',
    async find({ ctx, params }) {
      const id = idIn(params.token)
      const found = id === undefined ? undefined : await findListedToken(ctx.db, { id }, ctx.now())
      return found?.repository_id === null ? { ...found, repository: null } : undefined
    },
    rights: tokenRights,
    right: 'write',
    act: (call, token) => revokeOneToken(call.ctx, token, actorOf(call)),
    present: (_done, call) => back(call),
  }),

  post('/profile/revoke_all', {
    login: true,
    check: managing,
    async answer(call) {
      await revokeAllTokens(call.ctx, actorOf(call))
      return back(call)
    },
  }),

  post('/profile/sync', {
    login: true,
    scope: 'settings',
    rate: userSync,
    async answer(call) {
      await requestUserSync(call.ctx, userOf(call), actorOf(call)).catch(unlessSyncing)
      return back(call)
    },
  }),

  post('/logout', {
    login: true,
    async answer(call) {
      await logOut(call.ctx, actorOf(call))
      const { site } = call.ctx
      return withCookie(redirect(homePath(site.prefix), 303), sessionCookie(site, null))
    },
  }),
]

/** The page, with a token that was just made, which is shown only once. */
async function shown(call: Call, made: MadeToken | null = null) {
  const { ctx, viewer } = call
  const user = userOf(call)
  const number = pageNumberIn(call.query)
  const offset = (number - 1) * mostTokens
  const page = { limit: mostTokens, offset, sort: [], counted: true }
  const [{ records: tokens, count }, feed, connection] = await Promise.all([
    tokensOfUser(ctx.db, user.id, ctx.now(), page),
    findFeedToken(ctx.db, user.id, ctx.now()),
    findCodehostToken(ctx.db, user.id),
  ])
  const logins = ctx.codehosts.codehost?.people?.logins
  const isConnected = !logins || user.provider === 'local' || connection !== undefined
  const canManage = isWhole(viewer)
  const shownTokens = canManage ? tokens : []
  const paging = { number, size: mostTokens, count: count ?? 0 }
  const about = { user, tokens: shownTokens, feed, paging, canManage, isConnected, made }
  const answer = show(about, call)
  return withHeaders(answer, { 'cache-control': 'no-store' })
}

function userOf({ viewer: { user } }: Call): User {
  if (!user) throw loginRequired()
  return user
}

function back({ ctx }: Call) {
  return redirect(profilePath(ctx.site.prefix), 303)
}

function unlessSyncing(error: unknown): void {
  if (!(error instanceof ServiceError) || error.kind !== 'already_syncing') throw error
}
