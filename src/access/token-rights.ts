import type { Repository, Seen } from '../domain/repository.ts'
import { repositoryRights } from './repository-rights.ts'
import { isWhole } from './scopes.ts'
import type { Viewer } from './viewer.ts'

interface OwnedToken {
  user_id: number | null
  /** The repository that the token belongs to, if any. */
  repository: Seen<Repository> | null
}

/** A token is visible only to its user, or to the admins of the repository that it belongs to. */
export function tokenRights(viewer: Viewer, { user_id, repository }: OwnedToken) {
  const isOwn = repository
    ? repositoryRights(viewer, repository).admin
    : viewer.user !== undefined && viewer.user.id === user_id
  const write = isOwn && isWhole(viewer)
  return { read: write, write }
}
