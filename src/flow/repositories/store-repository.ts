import type { EventRepository, RepositoryFacts } from '../../domain/event.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import type { Repository } from '../../domain/repository.ts'
import { wakeReports } from '../../store/outbox/outbox.ts'
import { dropPermissionsOn } from '../../store/people/permissions.ts'
import { keepSlug } from '../../store/repositories/former-slugs.ts'
import { lockRepository } from '../../store/repositories/locked-repositories.ts'
import { type KnownRepository, putRepository } from '../../store/repositories/repositories.ts'
import { timeOf } from '../../store/sql/age.ts'
import type { Database } from '../../store/tables.ts'
import { storeOwner } from './store-owner.ts'

/** Stores a repository and its owner as the code host describes them. */
export async function storeRepository(db: Database, facts: RepositoryFacts): Promise<Repository> {
  return put(db, facts, await lockRepository(db, facts))
}

export interface SeenRepository {
  repository: Repository
  /** Whether the stored data is newer than the data seen, and stays. */
  isNewer: boolean
}

/**
 * Stores a repository as read at `seen_at`, unless newer data is stored, such as that it was made private or
 * deleted. `known` is locked.
 */
export async function storeSeenRepository(
  db: Database,
  facts: RepositoryFacts,
  seen_at: Date,
  known: Repository | undefined,
): Promise<SeenRepository> {
  if (known && known.updated_at > seen_at) return { repository: known, isNewer: true }
  return { repository: await put(db, facts, known), isNewer: false }
}

/** Whether the code host's description matches the stored repository, so that there is nothing to write. */
export function isAsDescribed(
  known: KnownRepository,
  { owner, archived, ...facts }: EventRepository,
): boolean {
  const { owner_type: type, owner_codehost_id, owner_name } = known
  const stored = { type, codehost_id: owner_codehost_id, login: owner_name }
  const columns = Object.entries(columnsOf(facts))
  return (
    !known.outdated &&
    (archived === null || archived === (known.archived_at !== null)) &&
    columns.every(([name, value]) => known[name as keyof KnownRepository] === value) &&
    (owner === null ||
      Object.entries(owner).every(([name, value]) => stored[name as keyof typeof stored] === value))
  )
}

async function put(
  db: Database,
  facts: RepositoryFacts,
  known: Repository | undefined,
): Promise<Repository> {
  const archived_at = facts.archived ? (known?.archived_at ?? (await timeOf(db))) : null
  const owner = await storeOwner(db, facts.provider, facts.owner)
  // Permissions end with a change of owner.
  if (known && !isOwnedBy(known, owner)) await dropPermissionsOn(db, known.id)
  const repository = { ...columnsOf(facts), ...owner, owner_name: facts.owner.login, archived_at }
  await keepSlug(db, repository)
  const stored = await putRepository(db, repository)
  // The sweep posts these reports.
  if (known && known.archived_at !== null && archived_at === null) await wakeReports(db, known.id)
  return stored
}

function isOwnedBy(repository: OwnerRef, { owner_id, owner_type }: OwnerRef): boolean {
  return repository.owner_id === owner_id && repository.owner_type === owner_type
}

function columnsOf(facts: Omit<RepositoryFacts, 'owner' | 'archived'>) {
  return {
    provider: facts.provider,
    codehost_id: facts.codehost_id,
    name: facts.name,
    description: facts.description,
    private: facts.private,
    fork: facts.fork,
    default_branch_name: facts.default_branch,
    codehost_language: facts.language,
  }
}
