import { shownScopes } from '../../../access/scopes.ts'
import type { Viewer } from '../../../access/viewer.ts'

/** The header with the scopes of the caller's token; empty for anonymous callers. */
export function scopesHeader(viewer: Viewer) {
  return { 'x-oauth-scopes': viewer.user ? shownScopes(viewer) : '' }
}
