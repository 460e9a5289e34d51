import type { RepositoryFacts } from '../domain/event.ts'
import type { OwnerRef } from '../domain/owner.ts'
import type { Repository } from '../domain/repository.ts'
import { putOrganization } from '../store/organizations.ts'
import { findRepository, putRepository } from '../store/repositories.ts'
import type { Database } from '../store/tables.ts'
import { putUser } from '../store/users.ts'

/**
 * Brings a known repository up to date with what an event tells of it: name, owner, privacy
 * (SY-20). Undefined when it is unknown.
 */
export async function refreshRepository(
  tx: Database,
  { repository: facts }: { repository: RepositoryFacts },
): Promise<Repository | undefined> {
  const { provider, codehost_id } = facts
  const known = await findRepository(tx, { provider, codehost_id })
  if (!known) return
  return storeRepository(tx, facts)
}

/** Stores a repository and its owner as the code host tells of them. */
export async function storeRepository(tx: Database, facts: RepositoryFacts): Promise<Repository> {
  const owner = await storeOwner(tx, facts)
  return putRepository(tx, {
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

async function storeOwner(tx: Database, { owner, provider }: RepositoryFacts): Promise<OwnerRef> {
  const { codehost_id, login, type } = owner
  const put = type === 'User' ? putUser : putOrganization
  const { id } = await put(tx, { provider, codehost_id, login })
  return { owner_id: id, owner_type: type }
}
