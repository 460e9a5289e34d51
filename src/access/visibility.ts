import type { Repository, Seen } from '../domain/repository.ts'
import type { Viewer } from './viewer.ts'

/** What belongs to a repository and keeps the privacy it was created with. */
export interface RepositoryRecord {
  private: boolean
  repository: Seen<Repository>
}

/** Whether the viewer has a role on the repository, and with it a view of all that is private. */
export function hasRole({ role }: Seen<Repository>): boolean {
  return role !== null
}

/**
 * Whether the viewer of a repository can see it, or a build, job, log or request of it: a record is
 * public only while both it and its repository are (D24). The same rule for lists is
 * `visibleTo` (store/visibility.ts).
 */
export function isVisible(
  repository: Seen<Repository>,
  record: { private: boolean } = repository,
): boolean {
  return hasRole(repository) || !(repository.private || record.private)
}

/** Whether all who see the repository at the code host can see it: not what is from its private times. */
export function isForAllReaders(
  repository: Pick<Repository, 'private'>,
  record: { private: boolean },
): boolean {
  return repository.private || !record.private
}

/** Whether this viewer can see it: what is public as well is hidden where the installation is closed. */
export function canSee(
  { closed = false }: Viewer,
  repository: Seen<Repository>,
  record?: { private: boolean },
): boolean {
  return isVisible(repository, record) && (hasRole(repository) || !closed)
}
