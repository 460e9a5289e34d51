import { createHash } from 'node:crypto'
import { type Members, textOf } from '../body.ts'
import type { OAuthGrant, UserToken } from '../tables.ts'
import { makeUserToken } from '../tokens.ts'
import type { World } from '../world.ts'

/** Makes a token of a code, or of what another token is refreshed with. Errors are returned with status 200, too. */
export function exchange(world: World, body: Members): Members {
  const { app } = world
  if (body.client_id !== app.clientId || body.client_secret !== app.clientSecret) {
    return refused('incorrect_client_credentials', 'The client_id and/or client_secret is wrong.')
  }
  return body.grant_type === 'refresh_token' ? refresh(world, body) : redeem(world, body)
}

function redeem(world: World, body: Members): Members {
  const { tables, now } = world
  const grant = tables.grants.find(({ code }) => code === body.code)
  if (!grant || grant.expires_at <= now() || !isProven(grant, textOf(body.code_verifier))) {
    return refused('bad_verification_code', 'The code passed is incorrect or expired.')
  }
  if (![null, grant.redirect_uri].includes(textOf(body.redirect_uri))) {
    return refused('redirect_uri_mismatch', 'The redirect_uri is not that of the request.')
  }
  tables.grants = tables.grants.filter((each) => each !== grant)
  return told(makeUserToken(world, grant.user))
}

/** Anyone who began with a challenge has to know what it was made of. */
function isProven({ code_challenge }: OAuthGrant, verifier: string | null): boolean {
  if (code_challenge === null) return true
  return (
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === code_challenge
  )
}

/** The token that is refreshed ends with that. */
function refresh(world: World, body: Members): Members {
  const { tables } = world
  const old = tables.tokens.find(
    (each) => each.kind === 'user' && each.refresh_token === body.refresh_token,
  )
  if (old?.kind !== 'user') {
    return refused('bad_refresh_token', 'The refresh token passed is incorrect or expired.')
  }
  tables.tokens = tables.tokens.filter((each) => each !== old)
  return told(makeUserToken(world, old.user))
}

function told({ token, refresh_token }: UserToken): Members {
  return {
    access_token: token,
    expires_in: 8 * 60 * 60,
    refresh_token,
    refresh_token_expires_in: 184 * 24 * 60 * 60,
    scope: '',
    token_type: 'bearer',
  }
}

function refused(error: string, error_description: string): Members {
  const error_uri = `https://docs.github.com/apps/troubleshooting-oauth-errors/#${error}`
  return { error, error_description, error_uri }
}
