import type { Repository, Seen } from '../domain/repository.ts'
import { repositoryRights } from './repository-rights.ts'
import type { Viewer } from './viewer.ts'

/** What a viewer can do with a cron. There is no action that starts one, so anyone may. */
export function cronRights(viewer: Viewer, { repository }: { repository: Seen<Repository> }) {
  const { read, write } = repositoryRights(viewer, repository)
  return { read, write, delete: write, start: true }
}
