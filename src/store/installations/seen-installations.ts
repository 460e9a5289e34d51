import type { OwnerRef } from '../../domain/owner.ts'
import { ownerIn, type OwnerRow, type SeenOwner } from '../people/seen-owners.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import type { Database, Installation } from '../tables.ts'

/** An installation of the app, with the account that it is on. */
export interface OwnedInstallation {
  id: number
  codehost_id: number
  owner: SeenOwner
}

const installations = prepared<
  OwnerRow & Pick<Installation, 'id' | 'codehost_id' | 'owner_type' | 'owner_id'>
>(`
  select distinct on (owner_type, owner_id) installations.id, installations.codehost_id,
    owner_type, owner_id, row_to_json(users) as "user", row_to_json(organizations) as organization,
    (select role from memberships where organization_id = organizations.id and user_id = $1)
      as membership
  from installations
  left join users on owner_type = 'User' and users.id = owner_id
  left join organizations on owner_type = 'Organization' and organizations.id = owner_id
    and deleted_at is null
  where removed_at is null and (installations.codehost_id = $2::bigint or (owner_type, owner_id) in (
    select * from unnest(${listed('$3', 'text[]')}, ${listed('$4', 'bigint[]')})))
  order by owner_type, owner_id, installations.id desc
`)

/** The installation with that id at the code host, unless it was removed. */
export async function findOwnedInstallation(
  db: Database,
  codehostId: number,
  userId: number | undefined,
): Promise<OwnedInstallation | undefined> {
  const [row] = await installations(db, userId ?? null, codehostId, [], [])
  const owner = row && ownerIn(row)
  return owner && { id: row.id, codehost_id: row.codehost_id, owner }
}

/** The newest installation of each of these owners, in their order; null if an owner has none. */
export async function installationsOfOwners(
  db: Database,
  owners: readonly OwnerRef[],
  userId: number | undefined,
): Promise<(OwnedInstallation | null)[]> {
  const types = owners.map(({ owner_type }) => owner_type)
  const ids = owners.map(({ owner_id }) => owner_id)
  const rows = await installations(db, userId ?? null, null, types, ids)
  return owners.map(({ owner_type, owner_id }) => {
    const row = rows.find((each) => each.owner_type === owner_type && each.owner_id === owner_id)
    const owner = row && ownerIn(row)
    return owner ? { id: row.id, codehost_id: row.codehost_id, owner } : null
  })
}
