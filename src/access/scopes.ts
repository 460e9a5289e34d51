import type { Viewer } from './viewer.ts'

/**
 * What a token can be for (D47): `builds` to restart, cancel, approve and request them, `settings` for
 * settings, variables, keys, caches, crons and activation, `admin` for the installation.
 */
const tokenScopes = ['read', 'builds', 'settings', 'admin'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** Whether a viewer's token is for this. One that names no scope of these is for all of them. */
export function hasScope({ user, scopes }: Viewer, wanted: TokenScope): boolean {
  if (!user || scopes.includes(wanted)) return true
  return !tokenScopes.some((scope) => scopes.includes(scope))
}

/** Whether a token sees private things, as headers show it. */
export function shownScopes({ scopes }: Viewer): string {
  return scopes.includes('private') ? 'public,private' : 'public'
}
