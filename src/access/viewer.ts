import type { User } from '../domain/owner.ts'

/** Who asks. Nobody in particular where there is no user. */
export interface Viewer {
  user?: User
  /** Of the token; without `private` no permission on a repository applies. */
  scopes: readonly string[]
}

export const anonymous: Viewer = { scopes: ['public'] }

/** The user whose permissions count, if any do. */
export function permittedUser({ user, scopes }: Viewer): number | undefined {
  return scopes.includes('private') ? user?.id : undefined
}
