import { type QueryCreator, sql } from 'kysely'
import type { Branch, Tag } from '../../domain/commit/commit.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import { isStorable } from '../../domain/text/storable-text.ts'
import { together } from '../sql/batched-query.ts'
import { type Page, type Paged, readPage } from '../sql/page.ts'
import { listed, runPrepared, runPreparedOne, prepared } from '../sql/prepared-statements.ts'
import { branchVisibleIn } from '../sql/visibility.ts'
import type { Database, Tables } from '../tables.ts'

/** Creates the branch if it is unknown, and stores whether it exists at the code host. */
export function branchPut(
  db: QueryCreator<Tables>,
  repositoryId: number,
  name: string,
  exists = true,
) {
  return db
    .insertInto('branches')
    .values({ repository_id: repositoryId, name, exists_on_codehost: exists })
    .onConflict((conflict) =>
      conflict
        .columns(['repository_id', 'name'])
        .doUpdateSet({ exists_on_codehost: exists, updated_at: sql`now()` }),
    )
    .returningAll()
}

/** Stores a branch that exists at the code host; returns the branch. */
export function putBranch(db: Database, repositoryId: number, name: string): Promise<Branch> {
  return runPreparedOne(db, branchPut(db, repositoryId, name))
}

/** Marks a branch as gone, unless it was put after `at`. */
export async function markBranchGone(
  db: Database,
  repositoryId: number,
  name: string,
  at?: Date,
): Promise<void> {
  await db
    .updateTable('branches')
    .set({ exists_on_codehost: false, updated_at: sql`now()` })
    .where('repository_id', '=', repositoryId)
    .where('name', '=', name)
    .$if(at !== undefined, (query) => query.where('updated_at', '<=', at ?? new Date(0)))
    .execute()
}

/** Marks all branches of a repository as gone except these and branches put after `at`; returns which. */
export async function markOthersGone(
  db: Database,
  repositoryId: number,
  names: readonly string[],
  at: Date,
): Promise<string[]> {
  const gone = await db
    .updateTable('branches')
    .set({ exists_on_codehost: false, updated_at: sql`now()` })
    .where('repository_id', '=', repositoryId)
    .where('exists_on_codehost', '=', true)
    .where('updated_at', '<=', at)
    .where(sql<boolean>`name <> all(${names}::text[])`)
    .returning('name')
    .execute()
  return gone.map(({ name }) => name)
}

/** Whether a branch or tag is known, and not marked as gone. */
export async function isKnownToExist(
  db: Database,
  kind: 'branch' | 'tag',
  repositoryId: number,
  name: string,
): Promise<boolean> {
  const found = await db
    .selectFrom(kind === 'branch' ? 'branches' : 'tags')
    .select('exists_on_codehost')
    .where('repository_id', '=', repositoryId)
    .where('name', '=', name)
    .executeTakeFirst()
  return found?.exists_on_codehost === true
}

/** Stores the last build of a branch; `default_of` is the repository if this is its default branch. */
export async function setLastBuildOfBranch(
  db: Database,
  id: number,
  buildId: number,
  default_of: number | null,
): Promise<void> {
  const set = db
    .with('shown', (query) =>
      query
        .updateTable('repositories')
        .set({ default_branch_last_build_id: buildId, updated_at: sql`now()` })
        .where('id', '=', default_of),
    )
    .updateTable('branches')
    .set({ last_build_id: buildId })
    .where('id', '=', id)
  await runPrepared(db, set)
}

export async function setLastBuildOfTag(db: Database, id: number, buildId: number): Promise<void> {
  await db.updateTable('tags').set({ last_build_id: buildId }).where('id', '=', id).execute()
}

/** Creates the tag if it is unknown, and stores whether it exists at the code host. */
export function tagPut(
  db: QueryCreator<Tables>,
  repositoryId: number,
  name: string,
  exists = true,
) {
  return db
    .insertInto('tags')
    .values({ repository_id: repositoryId, name, exists_on_codehost: exists })
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'name']).doUpdateSet({ exists_on_codehost: exists }),
    )
    .returningAll()
}

/** Stores a tag that exists at the code host; returns the tag. */
export function putTag(db: Database, repositoryId: number, name: string): Promise<Tag> {
  return tagPut(db, repositoryId, name).executeTakeFirstOrThrow()
}

/** The tag of that name, created if it is unknown. A tag marked as gone stays gone, even if it is built. */
export function keepTag(db: Database, repositoryId: number, name: string): Promise<Tag> {
  return (
    db
      .insertInto('tags')
      .values({ repository_id: repositoryId, name })
      // A row that is updated to itself is returned.
      .onConflict((conflict) =>
        conflict
          .columns(['repository_id', 'name'])
          .doUpdateSet({ name: sql.ref<string>('excluded.name') }),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
  )
}

export async function markTagGone(db: Database, repositoryId: number, name: string): Promise<void> {
  await db
    .updateTable('tags')
    .set({ exists_on_codehost: false })
    .where('repository_id', '=', repositoryId)
    .where('name', '=', name)
    .execute()
}

/** A known branch; the id is null for a default branch without any event yet, which has no row. */
export interface KnownBranch extends Pick<
  Branch,
  'repository_id' | 'name' | 'exists_on_codehost' | 'last_build_id'
> {
  id: number | null
}

/**
 * The branch of that name. The default branch of a repository is found even while it has no row.
 */
export async function findBranch(
  db: Database,
  repository: Pick<Repository, 'id' | 'default_branch_name'>,
  name: string,
): Promise<KnownBranch | undefined> {
  if (!isStorable(name)) return
  const known = await branchesNamed(db, [{ repository_id: repository.id, name }])
  if (known[0]) return known[0]
  return name === repository.default_branch_name ? branchWithoutRow(repository) : undefined
}

/** The default branch of each repository, in their order. */
export async function defaultBranchesOf(
  db: Database,
  repositories: readonly Pick<Repository, 'id' | 'default_branch_name'>[],
): Promise<KnownBranch[]> {
  const names = repositories.map(({ id, default_branch_name }) => ({
    repository_id: id,
    name: default_branch_name,
  }))
  const known = new Map(
    (await branchesNamed(db, names)).map((branch) => [branch.repository_id, branch]),
  )
  return repositories.map((repository) => known.get(repository.id) ?? branchWithoutRow(repository))
}

/** A default branch without any event yet. */
export function branchWithoutRow({
  id,
  default_branch_name,
}: Pick<Repository, 'id' | 'default_branch_name'>): KnownBranch {
  return {
    id: null,
    repository_id: id,
    name: default_branch_name,
    exists_on_codehost: true,
    last_build_id: null,
  }
}

type Name = Pick<Branch, 'repository_id' | 'name'>

const rowsOfNames = prepared<KnownBranch & { position: number }>(`
  select asked.position, branches.id, branches.repository_id, branches.name, exists_on_codehost,
    last_build_id
  from unnest(${listed('$1', 'bigint[]')}, ${listed('$2', 'text[]')})
    with ordinality as asked (repository_id, name, position)
  join branches on branches.repository_id = asked.repository_id and branches.name = asked.name
`)

const readNamed = together(async (db, lists: readonly (readonly Name[])[]) => {
  const names = lists.flat()
  const rows = await rowsOfNames(
    db,
    names.map(({ repository_id }) => repository_id),
    names.map(({ name }) => name),
  )
  const found = new Map(rows.map(({ position, ...branch }) => [position, branch]))
  let position = 0
  return lists.map((list) => list.flatMap(() => found.get(++position) ?? []))
})

/** The branches among these that have a row; the names must be storable. */
function branchesNamed(db: Database, names: readonly Name[]): Promise<KnownBranch[]> {
  return names.length === 0 ? Promise.resolve([]) : readNamed(db, names)
}

const branchOrders = {
  name: sql.ref('branches.name'),
  last_build: sql.ref('branches.last_build_id'),
  // True comes first.
  exists_on_codehost: sql`not branches.exists_on_codehost`,
  default_branch: sql`branches.name <> repositories.default_branch_name`,
}

export const branchSortKeys = Object.keys(branchOrders) as (keyof typeof branchOrders)[]

interface BranchFilter {
  /** Parts of names, compared without case. */
  name: readonly string[]
  exists_on_codehost: boolean | undefined
}

/** Whether the viewer of its repository can see a branch. */
export async function isBranchVisible(
  db: Database,
  repository: Seen<Repository>,
  { id, exists_on_codehost }: KnownBranch,
): Promise<boolean> {
  if (exists_on_codehost || id === null) return true
  const visible = await db
    .selectFrom('branches')
    .select('id')
    .where('id', '=', id)
    .where(branchVisibleIn(repository))
    .executeTakeFirst()
  return visible !== undefined
}

/**
 * Branches of a repository that its viewer can see; if sorted by their last build, branches without a
 * build are left out.
 */
export function branchesOfRepository(
  db: Database,
  repository: Seen<Repository>,
  { name, exists_on_codehost }: BranchFilter,
  page: Page,
): Promise<Paged<Branch>> {
  const query = db
    .selectFrom('branches')
    .innerJoin('repositories', 'repositories.id', 'branches.repository_id')
    .selectAll('branches')
    .where('branches.repository_id', '=', repository.id)
    .where(branchVisibleIn(repository))
    .$if(name.length > 0, (query) =>
      query.where(sql<boolean>`exists (
        select from unnest(${name.filter(isStorable)}::text[]) as part
        where position(lower(part) in lower(branches.name)) > 0)`),
    )
    .$if(exists_on_codehost !== undefined, (query) =>
      query.where('exists_on_codehost', '=', exists_on_codehost ?? true),
    )
    .$if(
      page.sort.some(({ key }) => key === 'last_build'),
      (query) => query.where('branches.last_build_id', 'is not', null),
    )
  return readPage(db, query, page, branchOrders, sql.ref('branches.id'))
}
