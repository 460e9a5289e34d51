import { archivedText } from '../domain/archived.ts'
import type { Config } from '../config/config.ts'
import { type Repository, slugOf } from '../domain/repository.ts'
import { shownTime } from '../domain/shown-time.ts'
import { findInstallation } from '../store/installations.ts'
import type { Database } from '../store/tables.ts'

/** Why no event of a repository is acted upon, in a sentence; none if they are. */
export async function installationNotices(
  db: Database,
  repository: Pick<
    Repository,
    'provider' | 'installation_id' | 'owner_name' | 'name' | 'archived_at'
  >,
  config: Pick<Config, 'gheHost'>,
): Promise<string[]> {
  const { provider, installation_id, owner_name } = repository
  if (provider === 'local') return []
  const installation =
    installation_id === null ? undefined : await findInstallation(db, { id: installation_id })
  if (!installation || installation.removed_at !== null) {
    return [
      `the app is not installed on ${slugOf(repository)}: nothing that is pushed there is built. ` +
        'What to do: add the repository to the app’s installation at the code host',
    ]
  }
  if (repository.archived_at !== null) {
    return [
      `${archivedText(repository, config)}. Until then crons are paused, and statuses and checks are ` +
        'held back; they are posted within a minute of unarchiving',
    ]
  }
  if (installation.suspended_at === null) return []
  return [
    `the app is suspended for ${owner_name} since ${shownTime(installation.suspended_at)}: nothing ` +
      'that is pushed is built. What to do: unsuspend it in its settings at the code host, and push again',
  ]
}
