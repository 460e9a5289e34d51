import { isOfToken } from '../domain/owner.ts'
import type { Viewer } from './viewer.ts'

/**
 * The scopes of a token (D47): `builds` to restart, cancel, approve and request builds, `settings` for
 * settings, variables, keys, caches, crons and activation, `admin` for the installation.
 */
export const tokenScopes = ['read', 'builds', 'settings', 'admin'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** The scopes of a token: all scopes if the token names none. */
export function scopesOf({ scopes }: Pick<Viewer, 'scopes'>): readonly TokenScope[] {
  const named = tokenScopes.filter((scope) => scopes.includes(scope))
  return named.length === 0 ? tokenScopes : named
}

/** Whether a viewer's token has this scope. */
export function hasScope(viewer: Viewer, wanted: TokenScope): boolean {
  return viewer.user === undefined || scopesOf(viewer).includes(wanted)
}

/** Whether a viewer's token covers only some repositories: some of its user's, or its own repository. */
export function isForSome({ grantee_id, user }: Viewer): boolean {
  return grantee_id !== undefined || (user !== undefined && isOfToken(user))
}

/** Whether a viewer's token covers all that its user can do. Only such a token makes or revokes tokens. */
export function isWhole(viewer: Viewer): boolean {
  return scopesOf(viewer).length === tokenScopes.length && seesPrivate(viewer) && !isForSome(viewer)
}

/** Whether a token sees private things. */
export function seesPrivate({ scopes }: Pick<Viewer, 'scopes'>): boolean {
  return scopes.includes('private')
}

/** The privacy scopes of a viewer's token, as headers show them. */
export function shownScopes(viewer: Viewer): string {
  return seesPrivate(viewer) ? 'public,private' : 'public'
}
