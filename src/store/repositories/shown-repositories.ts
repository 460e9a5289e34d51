import type { Organization, User } from '../../domain/owner.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import { versionsOf } from '../builds/versions.ts'
import { membershipsBeside, membershipsIn, type WrittenMemberships } from '../people/owners.ts'
import { organizationIn, userIn, type Written } from '../sql/json-rows.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import { existingRepository } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'
import { branchWithoutRow, type KnownBranch } from './branches.ts'
import { largestId } from './repositories.ts'
import {
  asked,
  type AskedRow,
  readAsked,
  readNamed,
  seen,
  type SeenRef,
  seenRepositoryIn,
  type SeenRow,
  type Versioned,
  withRole,
  withVersion,
} from './repository-access.ts'

/** A repository with the data shown with it, alone or in a list. */
export interface ListedRepository {
  repository: Seen<Repository>
  /** Whether the user has starred the repository. */
  starred: boolean
  /** Whether the user has unsubscribed from the repository's build mails. */
  unsubscribed: boolean
  default_branch: KnownBranch
}

type ListedRow = Omit<SeenRow, 'version'> &
  Omit<ListedRepository, 'repository' | 'default_branch'> & { default_branch: KnownBranch | null }

/** SQL for a repository's default branch, and for the star and mail setting of the user `own`. */
const shownBeside = `stars.user_id is not null as starred,
  unsubscriptions.user_id is not null as unsubscribed, row_to_json(branches) as default_branch`
const shown = `${seen}, ${shownBeside}`

const besideRepository = (own: string) => `
  left join stars on stars.repository_id = repositories.id and stars.user_id = ${own}
  left join unsubscriptions
    on unsubscriptions.repository_id = repositories.id and unsubscriptions.user_id = ${own}
  left join lateral (
    select id, repository_id, name, exists_on_codehost, last_build_id from branches
    where branches.repository_id = repositories.id and branches.name = default_branch_name
  ) as branches on true`
const withShown = (own: string) => `${withRole} ${besideRepository(own)}`

const listedByIds = prepared<ListedRow>(`
  select ${shown}
  from (select $1::bigint as viewer, $2::bigint as own) as asked
  cross join unnest(${listed('$3', 'bigint[]')}) with ordinality as page (id, position)
  join repositories on repositories.id = page.id ${withShown('asked.own')}
  order by page.position
`)

/** The repositories with these ids, in their order, with the roles of `userId` and the stars of `ownId`. */
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

/** A repository with all the data shown with it. */
export interface ShownRepository extends ListedRepository {
  repository: Versioned<Seen<Repository>>
  /** The organizations of the viewer, with the role; undefined if no organization is shown. */
  memberships: ReadonlyMap<number, 'admin' | 'member'> | undefined
  owner: Readonly<
    { from: 'users'; record: User } | { from: 'organizations'; record: Organization }
  > | null
}

type ShownRow = ListedRow & {
  version: string
  user: Written<User> | null
  organization: Written<Organization> | null
  memberships: WrittenMemberships
}

const owned = `${versionsOf.repositories} as version, row_to_json(users) as user,
  row_to_json(organizations) as organization, ${membershipsBeside('repositories')} as memberships`

const withOwner = `
  left join users on repositories.owner_type = 'User' and users.id = repositories.owner_id
  left join organizations on repositories.owner_type = 'Organization'
    and organizations.id = repositories.owner_id`

const shownAsked = readAsked<ShownRow>(
  prepared<AskedRow<ShownRow>>(`
    select asked.position, ${shown}, ${owned}
    from ${asked} join repositories on repositories.id = asked.id
      ${withShown('asked.viewer')} ${withOwner}
    where ${existingRepository}
  `),
)

const shownNamed = readNamed<ShownRow>({
  columns: `${shownBeside}, ${owned}`,
  joins: `${besideRepository('asked.viewer')} ${withOwner}`,
})

/** The repository as `userId` sees it, with that user's star if there is one, in one statement. */
export async function shownRepository(
  db: Database,
  ref: SeenRef,
  userId: number | undefined,
): Promise<ShownRepository | undefined> {
  // Reads by id share a statement with reads by id of other calls.
  const row = await ('id' in ref && ref.id <= largestId
    ? shownAsked(db, { id: ref.id, viewer: userId ?? null })
    : shownNamed(db, ref, userId))
  if (!row) return
  const { user, organization, version } = row
  const listed = listedIn(row)
  return {
    ...listed,
    repository: withVersion(listed.repository, version, ref),
    owner: ownerIn(user, organization),
    memberships: membershipsIn(row.memberships),
  }
}

function ownerIn(
  user: Written<User> | null,
  organization: Written<Organization> | null,
): ShownRepository['owner'] {
  if (user) return { from: 'users', record: userIn(user) }
  return organization && { from: 'organizations', record: organizationIn(organization) }
}
