import type { Repository, Seen } from '../domain/repository.ts'
import { isForSome } from './scopes.ts'
import type { Viewer } from './viewer.ts'
import { canSee } from './visibility.ts'

/** What a viewer can do with a repository; also what V3 shows as its `@permissions`. */
export function repositoryRights(viewer: Viewer, repository: Seen<Repository>) {
  const { role } = repository // from the query that found it for this viewer
  const read = canSee(viewer, repository)
  const push = role?.push === true
  // Stars belong to the user, so no role on the repository is needed.
  const star = read && viewer.user !== undefined && !isForSome(viewer)
  return {
    read,
    write: push,
    activate: push,
    deactivate: push,
    star,
    unstar: star,
    create_request: push,
    create_cron: push,
    create_env_var: push,
    create_key_pair: push,
    delete_key_pair: push,
    settings_create: push,
    settings_update: push,
    settings_delete: push,
    settings_read: read,
    log_view: read,
    build_create: push,
    build_restart: push,
    build_cancel: push,
    build_debug: false,
    log_delete: push,
    cache_view: push,
    cache_delete: push,
    check_scan_results: push,
    migrate: false,
    admin: role?.admin === true,
  }
}
