import type { Organization, User } from '../domain/owner.ts'
import type { Repository, Seen } from '../domain/repository.ts'
import { branchWithoutRow, type KnownBranch } from './branches.ts'
import { listed, prepared } from './prepared.ts'
import { largestId } from './repositories.ts'
import {
  asked,
  type AskedRow,
  readAsked,
  seen,
  seenRepositoryIn,
  type SeenRow,
  type Versioned,
  withRole,
} from './seen.ts'
import type { Database } from './tables.ts'
import { versionOfRepository } from './versions.ts'
import { existingRepository } from './visibility.ts'
import { organizationIn, userIn, type Written } from './written.ts'

/** A repository, with what is shown besides of it, alone as in a list. */
export interface ListedRepository {
  repository: Seen<Repository>
  /** Whether the user has starred it. */
  starred: boolean
  /** Whether the user has left its build mails. */
  unsubscribed: boolean
  default_branch: KnownBranch
}

type ListedRow = Omit<SeenRow, 'version'> &
  Omit<ListedRepository, 'repository' | 'default_branch'> & { default_branch: KnownBranch | null }

/** What is read of a repository, of its default branch and of what it is to the user `own`. */
const shown = `${seen}, stars.user_id is not null as starred,
  unsubscriptions.user_id is not null as unsubscribed, row_to_json(branches) as default_branch`

const withShown = (own: string) => `${withRole}
  left join stars on stars.repository_id = repositories.id and stars.user_id = ${own}
  left join unsubscriptions
    on unsubscriptions.repository_id = repositories.id and unsubscriptions.user_id = ${own}
  left join lateral (
    select id, repository_id, name, exists_on_codehost, last_build_id from branches
    where branches.repository_id = repositories.id and branches.name = default_branch_name
  ) as branches on true`

const listedByIds = prepared<ListedRow>(`
  select ${shown}
  from (select $1::bigint as viewer, $2::bigint as own) as asked
  cross join unnest(${listed('$3', 'bigint[]')}) with ordinality as page (id, position)
  join repositories on repositories.id = page.id ${withShown('asked.own')}
  order by page.position
`)

/** The repositories with these ids, in their order: `userId` has roles on them, `ownId` stars. */
export async function listedRepositoriesIn(
  db: Database,
  ids: readonly number[],
  { userId, ownId }: { userId: number | undefined; ownId: number | undefined },
): Promise<ListedRepository[]> {
  if (ids.length === 0) return []
  return (await listedByIds(db, userId ?? null, ownId ?? null, ids)).map(listedIn)
}

function listedIn({ starred, unsubscribed, default_branch, ...row }: ListedRow): ListedRepository {
  const repository = seenRepositoryIn(row)
  return {
    repository,
    starred,
    unsubscribed,
    default_branch: default_branch ?? branchWithoutRow(repository),
  }
}

/** A repository with all that is shown of it. */
export interface ShownRepository extends ListedRepository {
  repository: Versioned<Seen<Repository>>
  owner: Readonly<
    { from: 'users'; record: User } | { from: 'organizations'; record: Organization }
  > | null
}

type ShownRow = ListedRow & {
  user: Written<User> | null
  organization: Written<Organization> | null
}

const shownAsked = readAsked<ShownRow>(
  prepared<AskedRow<ShownRow>>(`
    select asked.position, ${shown}, ${versionOfRepository} as version,
      row_to_json(users) as user, row_to_json(organizations) as organization
    from ${asked} join repositories on repositories.id = asked.id ${withShown('asked.viewer')}
    left join users on repositories.owner_type = 'User' and users.id = repositories.owner_id
    left join organizations on repositories.owner_type = 'Organization'
      and organizations.id = repositories.owner_id
    where ${existingRepository}
  `),
)

/** The repository with this id as `userId` sees it, whose star it may have, in one statement. */
export async function shownRepository(
  db: Database,
  id: number,
  userId: number | undefined,
): Promise<ShownRepository | undefined> {
  const row = id > largestId ? undefined : await shownAsked(db, { id, viewer: userId ?? null })
  if (!row) return
  const { user, organization, version } = row
  const listed = listedIn(row)
  return {
    ...listed,
    repository: Object.assign(listed.repository, { version }),
    owner: ownerIn(user, organization),
  }
}

function ownerIn(
  user: Written<User> | null,
  organization: Written<Organization> | null,
): ShownRepository['owner'] {
  if (user) return { from: 'users', record: userIn(user) }
  return organization && { from: 'organizations', record: organizationIn(organization) }
}
