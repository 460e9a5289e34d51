import type { User } from '../domain/owner.ts'

/** Who makes a call. Without a user the viewer is anonymous. */
export interface Viewer {
  user?: User
  /** The token's scopes; without `private` no permission on a repository applies. */
  scopes: readonly string[]
  /** Of the token that the user called with. */
  token_id?: number
  /** When that token ends, if that is soon however often it is used. */
  token_ends_at?: Date
  /** Of a session in a browser: what the forms of its pages have to be sent with. */
  form_token?: string
  /**
   * Whose permissions apply instead of the user's: those of a token for some repositories. What asks
   * for the user's finds none, so that nothing else is shown or changed by mistake.
   */
  grantee_id?: number
  /** Whether the user administers the installation; that shows no private repository. */
  administrator?: boolean
  /** What is public is hidden from this viewer like what is private (`PUBLIC_MODE=false`). */
  closed?: boolean
  /** Of an anonymous viewer with the token of the log that the call is about, and of nothing else. */
  log?: LogReader
}

/** By whose role a log can be read: that of the user who made a token for it. */
export interface LogReader {
  user_id: number
  token_id: number
  token: string
}

export const anonymous: Viewer = { scopes: ['public'] }

/** The id of the user whose permissions apply, if any. */
export function permittedUser({ user, scopes, grantee_id }: Viewer): number | undefined {
  return scopes.includes('private') ? (grantee_id ?? user?.id) : undefined
}

/** The user whose permissions apply to the log that a call is about, if any. */
export function logReader(viewer: Viewer): number | undefined {
  return viewer.log?.user_id ?? permittedUser(viewer)
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
