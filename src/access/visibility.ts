import type { Repository, Seen } from '../domain/repository.ts'
import type { Viewer } from './viewer.ts'

/** A record of a repository, which keeps the privacy it was created with. */
export interface RepositoryRecord {
  private: boolean
  repository: Seen<Repository>
}

/** Whether the viewer has a role on the repository, and therefore sees everything private in it. */
export function hasRole({ role }: Seen<Repository>): boolean {
  return role !== null
}

/**
 * Whether the viewer of a repository can see it, or a build, job, log or request of it: a record is
 * public only while both it and its repository are (D24). The same rule for lists is
 * `visibleTo` (store/sql/visibility.ts).
 */
export function isVisible(
  repository: Seen<Repository>,
  record: { private: boolean } = repository,
): boolean {
  return hasRole(repository) || isForAnyone(repository, record)
}

/** Whether anyone can see a repository or a record of it, unless the installation is closed. */
export function isForAnyone(
  repository: Pick<Repository, 'private'>,
  record: { private: boolean } = repository,
): boolean {
  return !(repository.private || record.private)
}

/** Whether all the repository's readers at the code host can see a record: not if from private times. */
export function isForAllReaders(
  repository: Pick<Repository, 'private'>,
  record: { private: boolean },
): boolean {
  return repository.private || !record.private
}

/** Whether this viewer can see a repository or record; a closed installation hides public ones, too. */
export function canSee(
  { closed = false }: Viewer,
  repository: Seen<Repository>,
  record?: { private: boolean },
): boolean {
  return isVisible(repository, record) && (hasRole(repository) || !closed)
}
