import type { CodehostEvent, RepositoryFacts } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { findInstallation } from '../../store/installations.ts'
import { findRepository, putRepository, updateRepository } from '../../store/repositories.ts'
import type { Database } from '../../store/tables.ts'
import { storeOwner } from './store-owner.ts'

/**
 * Updates a known repository with the data of an event: name, owner, privacy and installation.
 * Undefined when it is unknown.
 */
export async function refreshRepository(
  db: Database,
  event: Pick<CodehostEvent, 'repository' | 'installation_codehost_id'>,
): Promise<Repository | undefined> {
  const { provider, codehost_id } = event.repository
  const known = await findRepository(db, { provider, codehost_id })
  if (!known) return
  const repository = await storeRepository(db, event.repository)
  if (event.installation_codehost_id === null) return repository

  const installation = await findInstallation(db, { codehost_id: event.installation_codehost_id })
  if (!installation || installation.id === repository.installation_id) return repository
  await updateRepository(db, repository.id, { installation_id: installation.id })
  return { ...repository, installation_id: installation.id }
}

/** Stores a repository and its owner as the code host describes them. */
export async function storeRepository(db: Database, facts: RepositoryFacts): Promise<Repository> {
  const owner = await storeOwner(db, facts.provider, facts.owner)
  return putRepository(db, {
    ...owner,
    provider: facts.provider,
    codehost_id: facts.codehost_id,
    owner_name: facts.owner.login,
    name: facts.name,
    description: facts.description,
    private: facts.private,
    fork: facts.fork,
    default_branch_name: facts.default_branch,
    codehost_language: facts.language,
  })
}
