import type { User } from '../domain/owner.ts'

/** Who makes a call. Without a user the viewer is anonymous. */
export interface Viewer {
  user?: User
  /** The token's scopes; without `private` no permission on a repository applies. */
  scopes: readonly string[]
  /** Id of the token that the call was made with. */
  token_id?: number
  /** When the token expires, if it expires soon regardless of its use. */
  token_ends_at?: Date
  /** For a browser session: the token that the forms of its pages must send. */
  form_token?: string
  /**
   * The grantee whose permissions apply instead of the user's, for a token for some repositories.
   * Queries for the user's permissions find none, so that nothing else is shown or changed by mistake.
   */
  grantee_id?: number
  /** Whether the user administers the installation; this gives no access to private repositories. */
  administrator?: boolean
  /** Whether public records are hidden from this viewer like private ones (`PUBLIC_MODE=false`). */
  closed?: boolean
  /** For an anonymous viewer with a log token: the reader of that log, and of nothing else. */
  log?: LogReader
}

/** The user whose role makes a log readable: the user who made a token for the log. */
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
