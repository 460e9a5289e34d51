import { isWhole } from '../../../access/scopes.ts'
import { loginRequired, notFound, wrongParams } from '../../../domain/errors.ts'
import { logOut } from '../../../flow/tokens/log-out.ts'
import { renewToken } from '../../../flow/tokens/make-token.ts'
import { hashToken } from '../../../secrets/token.ts'
import { findListedToken, type ListedToken } from '../../../store/tokens/listed-tokens.ts'
import { json, noContent, withHeaders } from '../../core/answer.ts'
import type { Call } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { oneText } from '../../parameters/kinds.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import { actionsOf, del, patch } from '../core/action.ts'

/** Actions with which clients of the API have always renewed and revoked the token of a call. */
export const accessTokenActions = actionsOf(
  { type: 'access_token' },
  {
    regenerate: patch('/access_token', {
      login: true,
      accepts: ofType('access_token', {
        token: described(
          'the token to replace, in the body: by default that of the call; one with limits replaces only itself',
          oneText(),
        ),
      }),
      docs: {
        summary:
          'replaces a token of the caller by a new one, which is shown only once; tokens made with the old one are revoked',
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
      docs: { summary: 'revokes the token of the call, and the tokens made with it', status: 204 },
      async answer(call) {
        await logOut(call.ctx, actorOf(call))
        return noContent()
      },
    }),
  },
)

const namesToken = (given: Call['given']) =>
  ['token', 'access_token.token', 'access_token'].some((name) => given[name] !== undefined)

/** The caller's token with this text, or the call's token; a limited token can only renew itself. */
async function ownToken(
  { ctx, viewer, query, given }: Call,
  token: string | undefined,
): Promise<ListedToken> {
  const { user, token_id } = viewer
  if (!user) throw loginRequired()
  // A URL is written into logs on its way.
  if (namesToken(query)) throw wrongParams('token must be in the body')
  if (token === undefined && namesToken(given)) throw wrongParams('token must be a text')
  const wanted = token === undefined ? { id: token_id ?? 0 } : { hash: hashToken(token) }
  const found = await findListedToken(ctx.db, wanted, ctx.now())
  const isOwn = found?.user_id === user.id && (found.id === token_id || isWhole(viewer))
  if (!found || !isOwn) throw notFound('access_token')
  return found
}
