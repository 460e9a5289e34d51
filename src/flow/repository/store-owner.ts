import type { InstallationFacts } from '../../domain/installation.ts'
import type { OwnerRef, Provider } from '../../domain/owner.ts'
import { putOrganization } from '../../store/organizations.ts'
import type { Database } from '../../store/tables.ts'
import { putUser } from '../../store/users.ts'

/** Stores an account of the code host that owns something here. */
export async function storeOwner(
  db: Database,
  provider: Provider,
  { codehost_id, login, type }: InstallationFacts['account'],
): Promise<OwnerRef> {
  const put = type === 'User' ? putUser : putOrganization
  const { id } = await put(db, { provider, codehost_id, login })
  return { owner_id: id, owner_type: type }
}
