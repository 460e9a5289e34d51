import { isOfToken } from '../domain/owner.ts'
import type { Viewer } from './viewer.ts'

/**
 * What a token can be for (D47): `builds` to restart, cancel, approve and request them, `settings` for
 * settings, variables, keys, caches, crons and activation, `admin` for the installation.
 */
export const tokenScopes = ['read', 'builds', 'settings', 'admin'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** What a token is for: all of it unless it names something. */
export function scopesOf({ scopes }: Pick<Viewer, 'scopes'>): readonly TokenScope[] {
  const named = tokenScopes.filter((scope) => scopes.includes(scope))
  return named.length === 0 ? tokenScopes : named
}

/** Whether a viewer's token is for this. */
export function hasScope(viewer: Viewer, wanted: TokenScope): boolean {
  return viewer.user === undefined || scopesOf(viewer).includes(wanted)
}

/** Whether a viewer's token is for some repositories only: those of its user, or the one that it belongs to. */
export function isForSome({ grantee_id, user }: Viewer): boolean {
  return grantee_id !== undefined || (user !== undefined && isOfToken(user))
}

/** Whether a viewer's token is for all that its user can do. No other one makes or revokes tokens. */
export function isWhole(viewer: Viewer): boolean {
  return scopesOf(viewer).length === tokenScopes.length && seesPrivate(viewer) && !isForSome(viewer)
}

/** Whether a token sees private things. */
export function seesPrivate({ scopes }: Pick<Viewer, 'scopes'>): boolean {
  return scopes.includes('private')
}

/** The same, as headers show it. */
export function shownScopes(viewer: Viewer): string {
  return seesPrivate(viewer) ? 'public,private' : 'public'
}
