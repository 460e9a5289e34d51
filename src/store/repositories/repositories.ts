import { type Expression, type SqlBool, sql } from 'kysely'
import type { Insertable, Updateable } from 'kysely'
import type { OwnerRef, Provider } from '../../domain/owner.ts'
import type { FoundRepository, Repository, Seen } from '../../domain/repository.ts'
import { rolesOn } from '../people/permissions.ts'
import { databaseNow } from '../sql/age.ts'
import { repositoryIn, type Written } from '../sql/json-rows.ts'
import { listed, runPreparedFirst, runPreparedOne, prepared } from '../sql/prepared-statements.ts'
import { existingRepository, visibleTo } from '../sql/visibility.ts'
import { type Database, omit, type Tables } from '../tables.ts'
import { slugContains } from './slug-search.ts'

export type RepositoryKey =
  | { id: number }
  | { slug: string; provider?: Provider }
  | { codehost_id: number; provider: Provider }

/** The largest integer that JavaScript represents exactly. */
export const largestId = 2 ** 53 - 1

/** An owner and a name. PostgreSQL rejects U+0000 in text, so no stored name contains it. */
const slug = /^[^/\0]+\/[^/\0]+$/

/** Whether a repository could have this slug. */
export function isSlug(text: string): boolean {
  return slug.test(text)
}

/** The code host's id of the installation that a repository belongs to. */
export const installationCodehostId = sql<number | null>`
  (select codehost_id from installations where installations.id = repositories.installation_id)
`.as('installation_codehost_id')

/**
 * The repository, unless it is deleted or another repository has its slug now. Slugs are compared
 * without case; of several repositories, the last updated is returned.
 */
export function findRepository(
  db: Database,
  ref: RepositoryKey,
): Promise<FoundRepository | undefined> {
  if ('id' in ref && ref.id > largestId) return Promise.resolve(undefined)
  if ('slug' in ref && !isSlug(ref.slug)) return Promise.resolve(undefined)
  const found = db
    .selectFrom('repositories')
    .selectAll()
    .select(installationCodehostId)
    .where('deleted_at', 'is', null)
    .where('invalidated_at', 'is', null)
    .where(matchesRef(ref))
    .orderBy('updated_at', 'desc')
    .limit(1)
  return runPreparedFirst(db, found)
}

export interface KnownRepository extends FoundRepository {
  owner_codehost_id: number | null
  /** Whether the repository's app installation is suspended. */
  suspended: boolean
  /** Whether its owner has another name now, or another repository with its slug was updated later. */
  outdated: boolean
}

type KnownRow = Omit<KnownRepository, keyof Repository> & { repository: Written<Repository> }

const knownRepositories = prepared<KnownRow>(`
    select row_to_json(repositories) as repository,
      coalesce(users.codehost_id, organizations.codehost_id) as owner_codehost_id,
      installations.codehost_id as installation_codehost_id,
      installations.suspended_at is not null as suspended,
      coalesce(users.login, organizations.login) is distinct from owner_name or exists (
        select from repositories as others
        where lower(others.owner_name) = lower(repositories.owner_name)
          and lower(others.name) = lower(repositories.name)
          and others.provider = repositories.provider
          and others.updated_at > repositories.updated_at
      ) as outdated
    from repositories
    left join users on owner_type = 'User' and users.id = owner_id
    left join organizations on owner_type = 'Organization' and organizations.id = owner_id
    left join installations on installations.id = installation_id
    where repositories.provider = $1 and repositories.codehost_id = any(${listed('$2', 'bigint[]')})
      and repositories.deleted_at is null and repositories.invalidated_at is null
  `)

/** The repository with this id at the code host, with all the data that its events describe. */
export async function findKnownRepository(
  db: Database,
  { provider, codehost_id }: Pick<Repository, 'provider' | 'codehost_id'>,
): Promise<KnownRepository | undefined> {
  const [found] = await findKnownRepositories(db, provider, [codehost_id])
  return found
}

/** The known repositories among those with these ids at the code host. */
export async function findKnownRepositories(
  db: Database,
  provider: Provider,
  codehostIds: readonly number[],
): Promise<KnownRepository[]> {
  const rows = await knownRepositories(db, provider, codehostIds)
  return rows.map(({ repository, ...facts }) => ({ ...repositoryIn(repository), ...facts }))
}

function matchesRef(ref: RepositoryKey): Expression<SqlBool> {
  if ('id' in ref) return sql`repositories.id = ${ref.id}`
  if ('codehost_id' in ref) {
    return sql`provider = ${ref.provider} and codehost_id = ${ref.codehost_id}`
  }
  const [owner = '', name = ''] = ref.slug.toLowerCase().split('/', 2)
  const slug = sql<SqlBool>`lower(owner_name) = ${owner} and lower(name) = ${name}`
  return ref.provider === undefined ? slug : sql`${slug} and provider = ${ref.provider}`
}

/** Sets the last build for a changed default branch. */
const lastBuildOfDefaultBranch = {
  default_branch_last_build_id: sql<number | null>`
    case when excluded.default_branch_name = repositories.default_branch_name
      then repositories.default_branch_last_build_id
      else (select last_build_id from branches
        where repository_id = repositories.id and branches.name = excluded.default_branch_name) end`,
}

/** Creates the repository, or updates the given columns of the existing one. */
export function putRepository(
  db: Database,
  repository: Insertable<Tables['repositories']>,
): Promise<Repository> {
  return db
    .insertInto('repositories')
    .values(repository)
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'codehost_id'])
        .doUpdateSet({
          ...omit(repository, 'provider', 'codehost_id'),
          ...(repository.default_branch_name === undefined ? {} : lastBuildOfDefaultBranch),
          deleted_at: null,
          invalidated_at: null,
          updated_at: sql`now()`,
        }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateRepository(
  db: Database,
  id: number,
  changes: Updateable<Tables['repositories']>,
): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Activates or deactivates builds of a repository; returns whether that is a change. */
export async function setRepositoryActive(
  db: Database,
  id: number,
  active: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('repositories')
    .set({ active, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('active', '<>', active)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks a repository as deleted at the code host. */
export async function markRepositoryDeleted(db: Database, id: number): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ active: false, deleted_at: databaseNow, updated_at: databaseNow })
    .where('id', '=', id)
    .execute()
}

/** Locks an owner's repositories in the order of `lockRepositories`, which an update of several ignores. */
function repositoriesInOrder(db: Database, { owner_id, owner_type }: OwnerRef) {
  return db
    .selectFrom('repositories')
    .select('id')
    .where('owner_id', '=', owner_id)
    .where('owner_type', '=', owner_type)
    .orderBy('id')
    .forNoKeyUpdate()
}

/** Sets the owner's new name on all repositories of the owner; returns how many had another name. */
export async function renameOwner(
  db: Database,
  { owner_id, owner_type }: OwnerRef,
  login: string,
): Promise<number> {
  const { numUpdatedRows } = await db
    .with('held', () => repositoriesInOrder(db, { owner_id, owner_type }))
    .updateTable('repositories')
    .set({ owner_name: login, updated_at: sql`now()` })
    .where('id', 'in', (query) => query.selectFrom('held').select('id'))
    .where('owner_name', '<>', login)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deactivates all repositories of an owner; returns them. */
export async function deactivateAllOf(
  db: Database,
  { owner_id, owner_type }: OwnerRef,
): Promise<number[]> {
  const rows = await db
    .with('held', () => repositoriesInOrder(db, { owner_id, owner_type }))
    .updateTable('repositories')
    .set({ active: false, updated_at: sql`now()` })
    .where('id', 'in', (query) => query.selectFrom('held').select('id'))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export type ManagedRepository = Pick<
  Repository,
  'id' | 'codehost_id' | 'owner_name' | 'name' | 'private' | 'updated_at'
>

/** The repositories that an installation manages. */
export function managedRepositories(
  db: Database,
  installation_id: number,
): Promise<ManagedRepository[]> {
  return db
    .selectFrom('repositories')
    .select(['id', 'codehost_id', 'owner_name', 'name', 'private', 'updated_at'])
    .where('installation_id', '=', installation_id)
    .where('managed_by_installation', '=', true)
    .orderBy('id')
    .execute()
}

/** Takes the next build number. The row's lock keeps the numbers in order (RQ-04). */
export async function takeBuildNumber(
  db: Database,
  id: number,
  isPullRequest: boolean,
): Promise<number> {
  const taken = db
    .updateTable('repositories')
    .set((eb) => ({
      next_build_number: eb('next_build_number', '+', 1),
      build_count: eb('build_count', '+', isPullRequest ? 0 : 1),
    }))
    .where('id', '=', id)
    .returning('next_build_number')
  return (await runPreparedOne(db, taken)).next_build_number - 1
}

/**
 * The repositories that the viewer can see, with the viewer's roles, newest activity first; with `search`,
 * those whose slugs contain it.
 */
export async function recentRepositories(
  db: Database,
  viewerId: number | undefined,
  {
    limit,
    closed,
    search = '',
  }: { limit: number; closed?: boolean | undefined; search?: string | undefined },
): Promise<Seen<Repository>[]> {
  const repositories = await db
    .selectFrom('repositories')
    .selectAll()
    .where(sql<boolean>`${sql.raw(existingRepository)}`)
    .where(visibleTo(viewerId, 'repositories', { closed }))
    .$if(search !== '', (query) => query.where(slugContains(search)))
    .orderBy('last_build_started_at', (order) => order.desc().nullsLast())
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const ids = repositories.map(({ id }) => id)
  const roles = await rolesOn(db, ids, viewerId)
  return repositories.map((repository) => ({
    ...repository,
    role: roles.get(repository.id) ?? null,
  }))
}
