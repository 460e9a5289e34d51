import type { InstallationFacts } from '../../domain/installation.ts'
import type { OwnerRef, Provider } from '../../domain/owner.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Turn } from '../../reader/turns.ts'
import { putOrganization } from '../../store/people/organizations.ts'
import { putUser } from '../../store/people/users.ts'
import type { Database } from '../../store/tables.ts'

/** Stores an account of the code host as a user or an organization. */
export async function storeOwner(
  db: Database,
  provider: Provider,
  { codehost_id, login, type }: InstallationFacts['account'],
): Promise<OwnerRef> {
  const put = type === 'User' ? putUser : putOrganization
  const { id } = await put(db, { provider, codehost_id, login })
  return { owner_id: id, owner_type: type }
}

/** The turn for reading a repository's files, so that other repositories do not wait for all of them. */
export function turnOf({ id }: Pick<Repository, 'id'>): Turn {
  return { of: 'pushes', key: String(id) }
}
