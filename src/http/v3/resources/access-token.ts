import { isWhole } from '../../../access/scopes.ts'
import { loginRequired, notFound, wrongParams } from '../../../domain/errors.ts'
import { logOut } from '../../../flow/log-out.ts'
import { renewToken } from '../../../flow/renew-token.ts'
import { hashToken } from '../../../secrets/token.ts'
import { findListedToken, type ListedToken } from '../../../store/listed-tokens.ts'
import { actorOf } from '../../actor.ts'
import { json, noContent, withHeaders } from '../../answer.ts'
import type { Call } from '../../endpoint.ts'
import { oneText } from '../../parameters/kinds.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import { actionsOf, del, patch } from '../action.ts'

/** The token of a call, as clients of the API have always renewed and revoked it. */
export const accessTokenActions = actionsOf(
  { type: 'access_token' },
  {
    regenerate: patch('/access_token', {
      login: true,
      accepts: ofType('access_token', {
        token: described(
          'the token to replace, in the body; one with limits replaces only itself',
          oneText(),
        ),
      }),
      docs: {
        summary:
          'puts a new token, which is shown this once, in the place of one of the caller; what was made with the old one is revoked',
        fails: ['not_found'],
      },
      async answer(call, { 'access_token.token': token }) {
        const found = await ownToken(call, token)
        const renewed = await renewToken(call.ctx, found, actorOf(call))
        const body = { '@type': 'access_token', token: renewed }
        return withHeaders(json(body), { 'cache-control': 'no-store' })
      },
    }),

    remove: del('/access_token', {
      login: true,
      docs: {
        summary: 'revokes the token that the call is made with, and those that were made with it',
        status: 204,
      },
      async answer(call) {
        await logOut(call.ctx, actorOf(call))
        return noContent()
      },
    }),
  },
)

/** The caller's token of that text; a limited one renews only itself. */
async function ownToken(
  { ctx, viewer, query }: Call,
  token: string | undefined,
): Promise<ListedToken> {
  const { user, token_id } = viewer
  if (!user) throw loginRequired()
  // What stands in a URL is written into logs on its way.
  if (['token', 'access_token.token', 'access_token'].some((name) => query[name] !== undefined))
    throw wrongParams('token must be in the body')
  if (token === undefined) throw wrongParams('token is missing')
  const found = await findListedToken(ctx.db, { hash: hashToken(token) }, ctx.now())
  const isOwn = found?.user_id === user.id && (found.id === token_id || isWhole(viewer))
  if (!found || !isOwn) throw notFound('access_token')
  return found
}
