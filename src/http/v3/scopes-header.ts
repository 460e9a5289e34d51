import { shownScopes } from '../../access/scopes.ts'
import type { Viewer } from '../../access/viewer.ts'

/** What the caller's token is for; empty for an anonymous one. */
export function scopesHeader(viewer: Viewer) {
  return { 'x-oauth-scopes': viewer.user ? shownScopes(viewer) : '' }
}
