import { type Expression, type SqlBool, sql } from 'kysely'
import type { ListViewer } from '../../access/viewer.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import { isStorable } from '../../domain/text/storable-text.ts'
import { nullsLast, type Order, type Page, type Paged, readPage } from '../sql/page.ts'
import { existingRepository, liveRepository, ownerExists, seenInList } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'
import { type ListedRepository, listedRepositoriesIn } from './shown-repositories.ts'

/** Undefined members do not filter. */
export interface RepositoryPageFilter {
  active: boolean | undefined
  private: boolean | undefined
  managed_by_installation: boolean | undefined
  /** True for no repository: there is no other instance. */
  active_on_org: boolean | undefined
  starred: boolean | undefined
  /** Letters that the name contains in this order, compared without case. */
  name: readonly string[]
  /** Letters that `owner/name` contains in this order, compared without case. */
  slug: readonly string[]
}

/** The viewer of a list; `ownId` is the user whose stars are shown, even with a limited token. */
export interface RepositoryPageViewer extends ListViewer {
  ownId: number | undefined
}

export const repositorySortKeys = [
  'id',
  'codehost_id',
  'vcs_id',
  'owner_name',
  'name',
  'active',
  'default_branch.last_build',
] as const

/** Sort keys that the API's documents do not list. */
export const hiddenRepositorySortKeys = ['current_build', 'name_filter', 'slug_filter'] as const

type SortKey = (typeof repositorySortKeys | typeof hiddenRepositorySortKeys)[number]

/** Repositories on which the viewer has a role. */
export function repositoriesOfMember(
  db: Database,
  viewer: RepositoryPageViewer,
  filter: RepositoryPageFilter,
  page: Page,
): Promise<Paged<ListedRepository>> {
  const isOfMember = sql<SqlBool>`repositories.id in (
    select repository_id from permissions where permissions.user_id = ${viewer.userId ?? null})`
  return pageOf(db, isOfMember, viewer, filter, page)
}

/** Repositories of an owner that the viewer can see. */
export function repositoriesOfOwner(
  db: Database,
  { owner_id, owner_type }: OwnerRef,
  viewer: RepositoryPageViewer,
  filter: RepositoryPageFilter,
  page: Page,
): Promise<Paged<ListedRepository>> {
  const isOfOwner = sql<SqlBool>`repositories.owner_id = ${owner_id}
    and repositories.owner_type = ${owner_type} and ${seenInList(viewer, 'repositories')}`
  return pageOf(db, isOfOwner, viewer, filter, page)
}

async function pageOf(
  db: Database,
  whose: Expression<SqlBool>,
  viewer: RepositoryPageViewer,
  filter: RepositoryPageFilter,
  page: Page,
): Promise<Paged<ListedRepository>> {
  const isListed = sql<SqlBool>`${sql.join([whose, ...conditionsOf(filter, viewer)], sql` and `)}`
  const query = db
    .selectFrom('repositories')
    .select('repositories.id')
    .where(sql<SqlBool>`${sql.raw(existingRepository)} and ${isListed}`)
  const [{ records }, count] = await Promise.all([
    readPage(db, query, { ...page, counted: false }, ordersFor(filter), tieBreaker(page)),
    page.counted ? countOf(db, isListed) : null,
  ])
  const ids = records.map(({ id }) => id)
  return { records: await listedRepositoriesIn(db, ids, viewer), count }
}

/** Number of listed repositories. Whether an owner exists is looked up once per owner, not per repository. */
async function countOf(db: Database, isListed: Expression<SqlBool>): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select coalesce(sum(each), 0) as count from (
      select owner_type, owner_id, count(*) as each from repositories
      where ${sql.raw(liveRepository)} and ${isListed} group by owner_type, owner_id
    ) as repositories where ${sql.raw(ownerExists)}
  `.execute(db)
  return Number(rows[0]?.count)
}

/** Filters that are columns. */
const flags = ['active', 'private', 'managed_by_installation'] as const

function conditionsOf(
  filter: RepositoryPageFilter,
  { ownId = 0 }: RepositoryPageViewer,
): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = flags.flatMap((flag) =>
    filter[flag] === undefined ? [] : sql<SqlBool>`${sql.ref(flag)} = ${filter[flag]}`,
  )
  if (filter.active_on_org === true) conditions.push(sql`false`)
  if (filter.starred !== undefined) {
    const isStarred = sql`repositories.id in (
      select repository_id from stars where stars.user_id = ${ownId})`
    conditions.push(sql`(${isStarred}) = ${filter.starred}`)
  }
  if (filter.name.length > 0) conditions.push(hasLetters(name, filter.name))
  if (filter.slug.length > 0) conditions.push(hasLetters(slug, filter.slug))
  return conditions
}

const name = sql<string>`lower(repositories.name)`
const slug = sql<string>`lower(repositories.owner_name) || '/' || lower(repositories.name)`

/** Whether a text contains the letters of one of these, in their order. */
function hasLetters(text: Expression<string>, wanted: readonly string[]): Expression<SqlBool> {
  return sql`${text} like any(${wanted.filter(isStorable).map(patternOf)}::text[])`
}

function patternOf(letters: string): string {
  const escaped = Array.from(letters.toLowerCase(), (letter) =>
    letter.replace(/[%_\\]/, String.raw`\$&`),
  )
  return `%${escaped.join('%')}%`
}

/** How similar a text with those letters is: more if the letters are together, and there are few others. */
function similarity(text: Expression<string>, wanted: readonly string[]): Expression<number> {
  const texts = wanted.filter(isStorable).map((each) => each.toLowerCase())
  return sql`(
    select max((position(wanted in ${text}) > 0)::int + length(wanted)::float / length(${text}))
    from unnest(${texts}::text[]) as wanted)`
}

function ordersFor(filter: RepositoryPageFilter): Readonly<Record<string, Order>> {
  return {
    id: sql.ref('repositories.id'),
    codehost_id: sql.ref('repositories.codehost_id'),
    vcs_id: sql`repositories.codehost_id::text`,
    owner_name: sql.ref('repositories.owner_name'),
    name: sql.ref('repositories.name'),
    // True comes first.
    active: sql`not repositories.active`,
    'default_branch.last_build': nullsLast(sql.ref('repositories.default_branch_last_build_id')),
    current_build: nullsLast(sql.ref('repositories.last_build_id')),
    name_filter: nullsLast(similarity(name, filter.name)),
    slug_filter: nullsLast(similarity(slug, filter.slug)),
  } satisfies Record<SortKey, Order>
}

/** In the direction of the first key, as in the indexes of the last builds. */
function tieBreaker({ sort: [first] }: Page): Expression<unknown> {
  return first?.descending ? sql`repositories.id desc` : sql.ref('repositories.id')
}
