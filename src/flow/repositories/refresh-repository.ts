import type { CodehostEvent } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { findInstallation } from '../../store/installations/installations.ts'
import { lockRepository } from '../../store/repositories/locked-repositories.ts'
import { type KnownRepository, updateRepository } from '../../store/repositories/repositories.ts'
import type { Database } from '../../store/tables.ts'
import type { Asked } from './ask-about.ts'
import { isAsDescribed, storeSeenRepository } from './store-repository.ts'

/** A repository, and whether its app installation is suspended. */
export type RefreshedRepository = Repository & Pick<KnownRepository, 'suspended'>

/** The event describes the repository differently from the stored data: the code host is to be queried. */
export const doubtful = Symbol('doubtful')

/**
 * Updates a known repository: name, owner, privacy and installation. An event alone is not believed, because
 * it may be old, or sent again by someone else, except that the repository is private. `known` is the stored
 * repository with the event's code host id; undefined if there is none.
 */
export async function refreshRepository(
  db: Database,
  known: KnownRepository | undefined,
  event: Pick<CodehostEvent, 'repository' | 'installation_codehost_id'>,
  asked?: Asked,
): Promise<RefreshedRepository | typeof doubtful | undefined> {
  if (!known) return
  let repository: RefreshedRepository = known
  if (!asked && !isAsDescribed(known, event.repository)) {
    if (event.repository.private && !known.private) {
      await updateRepository(db, known.id, { private: true })
    }
    return doubtful
  }
  if (asked?.facts) {
    const stored = await storeSeenRepository(
      db,
      asked.facts,
      asked.at,
      await lockRepository(db, asked.facts),
    )
    repository = { ...known, ...stored.repository }
  }
  return withInstallation(db, repository, event.installation_codehost_id, known)
}

/** Stores the installation that an event names, if it belongs to the owner and still exists. */
async function withInstallation(
  db: Database,
  repository: RefreshedRepository,
  number: number | null,
  known: KnownRepository,
): Promise<RefreshedRepository> {
  if (number === null || number === known.installation_codehost_id) return repository
  const installation = await findInstallation(db, { codehost_id: number })
  if (!installation || installation.id === repository.installation_id) return repository
  const { owner_id, owner_type } = repository
  const isOwners = installation.owner_id === owner_id && installation.owner_type === owner_type
  if (!isOwners || installation.removed_at !== null) return repository
  await updateRepository(db, repository.id, { installation_id: installation.id })
  const suspended = installation.suspended_at !== null
  return { ...repository, installation_id: installation.id, suspended }
}
