import type { Repository, Seen } from '../domain/repository.ts'
import { repositoryRights } from './repository-rights.ts'
import type { Viewer } from './viewer.ts'

/** Anything made by a repository that keeps the privacy it was made with. */
export interface Made {
  private: boolean
  repository: Seen<Repository>
}

/**
 * Whether a viewer may see a build, job, log or request: it is public only while both it and its
 * repository are (D24).
 */
export function maySee(viewer: Viewer, { private: hidden, repository }: Made): boolean {
  if (!repositoryRights(viewer, repository).read) return false
  return !hidden || repository.role !== null
}

/** What a viewer may do with a build; also what V3 shows as its `@permissions`. */
export function buildRights(viewer: Viewer, build: Made) {
  const { build_cancel, build_restart, write } = repositoryRights(viewer, build.repository)
  const read = maySee(viewer, build)
  return {
    read,
    write: read && write,
    cancel: read && build_cancel,
    restart: read && build_restart,
    prioritize: false,
  }
}

/** What a viewer may do with a job and its log. */
export function jobRights(viewer: Viewer, job: Made) {
  const { log_delete } = repositoryRights(viewer, job.repository)
  const rights = buildRights(viewer, job)
  return { ...rights, debug: false, delete_log: rights.read && log_delete, view_log: rights.read }
}

export function requestRights(viewer: Viewer, request: Made) {
  const read = maySee(viewer, request)
  return { read, write: read && repositoryRights(viewer, request.repository).write }
}
