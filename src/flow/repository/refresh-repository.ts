import type { CodehostEvent, EventRepository, RepositoryFacts } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { findInstallation } from '../../store/installations.ts'
import { keepSlug } from '../../store/former-slugs.ts'
import {
  findKnownRepository,
  findRepository,
  type KnownRepository,
  putRepository,
  updateRepository,
} from '../../store/repositories.ts'
import type { Database } from '../../store/tables.ts'
import { storeOwner } from './store-owner.ts'

/** A repository, and whether the app is suspended there. */
export type RefreshedRepository = Repository & Pick<KnownRepository, 'suspended'>

/**
 * Updates a known repository with the data of an event: name, owner, privacy and installation.
 * Undefined when it is unknown.
 */
export async function refreshRepository(
  db: Database,
  event: Pick<CodehostEvent, 'repository' | 'installation_codehost_id'>,
): Promise<RefreshedRepository | undefined> {
  const { provider, codehost_id } = event.repository
  const known = await findKnownRepository(db, { provider, codehost_id })
  if (!known) return
  const stored = isAsDescribed(known, event.repository)
    ? known
    : await storeFromEvent(db, event.repository)
  const repository = { ...known, ...stored }
  const number = event.installation_codehost_id
  if (number === null || number === known.installation_codehost_id) return repository

  const installation = await findInstallation(db, { codehost_id: number })
  if (!installation || installation.id === repository.installation_id) return repository
  await updateRepository(db, repository.id, { installation_id: installation.id })
  const suspended = installation.suspended_at !== null
  return { ...repository, installation_id: installation.id, suspended }
}

/** Whether the code host describes the repository as it is stored, so that nothing is to be written. */
export function isAsDescribed(
  known: KnownRepository,
  { owner, ...facts }: EventRepository,
): boolean {
  const { owner_type: type, owner_codehost_id, owner_name } = known
  const stored = { type, codehost_id: owner_codehost_id, login: owner_name }
  const columns = Object.entries(columnsOf(facts))
  return (
    !known.outdated &&
    columns.every(([name, value]) => known[name as keyof KnownRepository] === value) &&
    (owner === null ||
      Object.entries(owner).every(([name, value]) => stored[name as keyof typeof stored] === value))
  )
}

/** Stores a repository and its owner as the code host describes them. */
export async function storeRepository(db: Database, facts: RepositoryFacts): Promise<Repository> {
  const owner = await storeOwner(db, facts.provider, facts.owner)
  return put(db, { ...columnsOf(facts), ...owner, owner_name: facts.owner.login })
}

/** The same for an event. Where it lacks the owner, the known one stays; undefined without any. */
export async function storeFromEvent(
  db: Database,
  { owner, ...facts }: EventRepository,
): Promise<Repository | undefined> {
  if (owner) return storeRepository(db, { ...facts, owner })
  const { provider, codehost_id } = facts
  const known = await findRepository(db, { provider, codehost_id })
  if (!known) return undefined
  const { owner_id, owner_type, owner_name } = known
  return put(db, { ...columnsOf(facts), owner_id, owner_type, owner_name })
}

async function put(
  db: Database,
  repository: Parameters<typeof putRepository>[1],
): Promise<Repository> {
  await keepSlug(db, repository)
  return putRepository(db, repository)
}

function columnsOf(facts: Omit<RepositoryFacts, 'owner'>) {
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
