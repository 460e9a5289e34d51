import { sql } from 'kysely'
import type { ListViewer } from '../../access/viewer.ts'
import type { OwnerType, User } from '../../domain/owner.ts'
import { visibleTo } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'

/** A user or an organization, with the number of its repositories that the viewer can see. */
export interface Account {
  id: number
  type: OwnerType
  login: string
  name: string | null
  avatar_url: string | null
  repos_count: number
}

/**
 * The account of a user, then, with `ofOrganizations`, the accounts of the organizations that the user
 * is a member of, by id. Without `all`, only organizations where the user is an admin, of the
 * organization or of one of its repositories.
 */
export async function accountsOf(
  db: Database,
  user: Pick<User, 'id'>,
  viewer: ListViewer,
  { all, ofOrganizations }: { all: boolean; ofOrganizations: boolean },
): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select accounts.*, (
      select count(*) from repositories
      where repositories.owner_type = accounts.type and repositories.owner_id = accounts.id
        and repositories.deleted_at is null and repositories.invalidated_at is null
        and ${visibleTo(viewer.userId, 'repositories', { closed: viewer.closed })}
    ) as repos_count
    from (
      select id, 'User' as type, login, name, avatar_url from users where id = ${user.id}
      union all
      select organizations.id, 'Organization', login, organizations.name, avatar_url
      from memberships join organizations on organizations.id = organization_id
      where ${ofOrganizations} and memberships.user_id = ${user.id} and organizations.deleted_at is null
        and (${all} or role = 'admin' or exists (
          select from repositories
          join permissions as roles on roles.repository_id = repositories.id
          where owner_type = 'Organization' and owner_id = organizations.id
            and repositories.deleted_at is null and repositories.invalidated_at is null
            and roles.user_id = ${viewer.userId ?? null} and roles.admin))
    ) as accounts
    order by type = 'Organization', id
  `.execute(db)
  return rows
}
