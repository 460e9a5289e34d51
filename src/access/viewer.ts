import type { User } from '../domain/owner.ts'

/** Who makes a call. Without a user the viewer is anonymous. */
export interface Viewer {
  user?: User
  /** The token's scopes; without `private` no permission on a repository applies. */
  scopes: readonly string[]
  /** Of the token that the user called with. */
  token_id?: number
  /** What is public is hidden from this viewer like what is private (`PUBLIC_MODE=false`). */
  closed?: boolean
}

export const anonymous: Viewer = { scopes: ['public'] }

/** The user whose permissions apply, if any. */
export function permittedUser({ user, scopes }: Viewer): number | undefined {
  return scopes.includes('private') ? user?.id : undefined
}

/** A viewer of lists over all repositories. */
export interface ListViewer {
  /** The user whose permissions apply, if any. */
  userId: number | undefined
  closed: boolean
}

export function listViewer(viewer: Viewer): ListViewer {
  return { userId: permittedUser(viewer), closed: viewer.closed === true }
}
