import { repositoryRights } from './repository-rights.ts'
import type { Viewer } from './viewer.ts'
import { canSee, type RepositoryRecord } from './visibility.ts'

/** What a viewer can do with a build; also what V3 shows as its `@permissions`. */
export function buildRights(viewer: Viewer, build: RepositoryRecord) {
  const { build_cancel, build_restart, write } = repositoryRights(viewer, build.repository)
  const read = canSee(viewer, build.repository, build)
  return {
    read,
    write: read && write,
    cancel: read && build_cancel,
    restart: read && build_restart,
    prioritize: false,
  }
}

/** What a viewer can do with a job and its log. */
export function jobRights(viewer: Viewer, job: RepositoryRecord) {
  const { log_delete } = repositoryRights(viewer, job.repository)
  const rights = buildRights(viewer, job)
  return { ...rights, debug: false, delete_log: rights.read && log_delete, view_log: rights.read }
}

/** The rights on a request; also on commits, stages and tags, which have no rights of their own. */
export function requestRights(viewer: Viewer, request: RepositoryRecord) {
  const read = canSee(viewer, request.repository, request)
  return { read, write: read && repositoryRights(viewer, request.repository).write }
}

/** What a viewer can do with the log of a job; a log token only allows reading. */
export function logRights(viewer: Viewer, job: RepositoryRecord) {
  const { prioritize: _prioritize, ...rights } = jobRights(viewer, job)
  if (!viewer.log) return rights
  return { ...rights, write: false, cancel: false, restart: false, delete_log: false }
}
