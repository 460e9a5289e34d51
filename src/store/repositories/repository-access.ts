import type { Build } from '../../domain/build.ts'
import type { Cron } from '../../domain/cron.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Repository, Role, Seen } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import type { Settings } from '../../domain/settings.ts'
import {
  type Version,
  versionOfBuild,
  type VersionedTable,
  versionsOf,
} from '../builds/versions.ts'
import { inPlaces, together } from '../sql/batched-query.ts'
import { buildIn, cronIn, jobIn, repositoryIn, requestIn, type Written } from '../sql/json-rows.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import { existingRepository, visibleFirst } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'
import type { KnownBranch } from './branches.ts'
import { isSlug, largestId, type RepositoryKey } from './repositories.ts'

/** A record together with its repository, as one viewer sees it. */
export type InRepository<T> = T & { repository: Seen<Repository> }

/** A record with a version that changes with all data that its answers show (see `versions.ts`). */
export type Versioned<T> = T & { version: Version }

/** SQL for a repository and the role that `asked.viewer` has on it, null without a role. */
export const seen = `row_to_json(repositories) as repository,
  permissions.pull, permissions.push, permissions.admin`

export const withRole = `left join permissions
  on permissions.repository_id = repositories.id and permissions.user_id = asked.viewer`

/**
 * Order of several repositories with the same slug: repositories that the viewer can see before others,
 * the code host's before this machine's, then the last updated.
 */
const bestFirst = `${visibleFirst}, (repositories.provider = 'codehost') desc,
  repositories.updated_at desc`

export interface SeenRow {
  repository: Written<Repository>
  pull: boolean | null
  push: boolean | null
  admin: boolean | null
  version: string
}

export function seenRepositoryIn({
  repository,
  pull,
  push,
  admin,
}: Omit<SeenRow, 'version'>): Seen<Repository> {
  const role: Role | null =
    pull === null || push === null || admin === null ? null : { pull, push, admin }
  return Object.assign(repositoryIn(repository), { role })
}

/** An id, and the user who requests its record. */
interface Asked {
  id: number
  viewer: number | null
}

/** SQL for the viewers and the ids that they request, each with its position, from 1. */
export const asked = `unnest(${listed('$1', 'bigint[]')}, ${listed('$2', 'bigint[]')})
  with ordinality as asked (viewer, id, position)`

export type AskedRow<T> = T & SeenRow & { position: number }

/** Reads the records with these ids, each as its viewer sees it. */
export function readAsked<T = unknown>(
  statement: (db: Database, ...values: unknown[]) => Promise<readonly AskedRow<T>[]>,
) {
  return together(async (db, items: readonly Asked[]): Promise<(AskedRow<T> | undefined)[]> => {
    const viewers = items.map(({ viewer }) => viewer)
    const rows = await statement(
      db,
      viewers,
      items.map(({ id }) => id),
    )
    return inPlaces(rows, items)
  })
}

const repositoriesAsked = prepared<AskedRow<unknown>>(`
  select asked.position, ${seen}, ${versionsOf.repositories} as version
  from ${asked} join repositories on repositories.id = asked.id ${withRole}
  where ${existingRepository}
`)

const byId = readAsked(repositoriesAsked)

/** The repositories with these ids, by id, with the role that the user has on each. */
async function seenRepositoriesByIds(
  db: Database,
  ids: readonly number[],
  userId: number | undefined,
): Promise<ReadonlyMap<number, Seen<Repository>>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const viewers = unique.map(() => userId ?? null)
  const repositories = (await repositoriesAsked(db, viewers, unique)).map(seenRepositoryIn)
  return new Map(repositories.map((repository) => [repository.id, repository]))
}

/** The records whose repositories exist, each with its repository as the user sees it. */
export async function inTheirRepositories<R extends { repository_id: number }>(
  db: Database,
  records: readonly R[],
  userId: number | undefined,
): Promise<InRepository<R>[]> {
  const ids = records.map(({ repository_id }) => repository_id)
  const repositories = await seenRepositoriesByIds(db, ids, userId)
  return records.flatMap((record) => {
    const repository = repositories.get(record.repository_id)
    return repository ? [{ ...record, repository }] : []
  })
}

/** How viewers name a repository. */
export type SeenRef = Exclude<RepositoryKey, { codehost_id: number }>

/** Additional columns and joins of a statement that reads a repository, and the count of their parameters. */
interface Besides {
  columns: string
  joins?: string
  /** From `$2` on; the viewer is `$1`. */
  parameters?: number
}

/** Reads a repository by any viewer's reference, and additional columns in the same statement. */
export function readNamed<T = { version: string }>({
  columns,
  joins = '',
  parameters = 0,
}: Besides) {
  type Row = Omit<SeenRow, 'version'> & T
  const next = parameters + 2
  const slug = `lower(owner_name) = $${next} and lower(repositories.name) = $${next + 1}`
  const by = (condition: string) =>
    prepared<Row>(`
      select ${seen}, ${columns}
      from (select $1::bigint as viewer) as asked join repositories on ${condition} ${withRole} ${joins}
      where ${existingRepository} order by ${bestFirst} limit 1
    `)
  const byId = by(`repositories.id = $${next}`)
  const bySlug = by(slug)
  const bySlugAt = by(`${slug} and provider = $${next + 2}`)

  return async (
    db: Database,
    ref: SeenRef,
    userId: number | undefined,
    ...given: unknown[]
  ): Promise<Row | undefined> => {
    const values = [userId ?? null, ...given]
    if ('id' in ref) return ref.id > largestId ? undefined : (await byId(db, ...values, ref.id))[0]
    if (!isSlug(ref.slug)) return undefined
    const { provider } = ref
    const names = ref.slug.toLowerCase().split('/', 2)
    const [row] = await (provider === undefined
      ? bySlug(db, ...values, ...names)
      : bySlugAt(db, ...values, ...names, provider))
    return row
  }
}

const byName = readNamed({ columns: `${versionsOf.repositories} as version` })

/** Like `findRepository`, with the role that the user has on the repository. */
export async function findSeenRepository(
  db: Database,
  ref: SeenRef,
  userId: number | undefined,
): Promise<Versioned<Seen<Repository>> | undefined> {
  // Reads by id share a statement with reads by id of other calls.
  const row = await ('id' in ref && ref.id <= largestId
    ? byId(db, { id: ref.id, viewer: userId ?? null })
    : byName(db, ref, userId))
  return row && withVersion(seenRepositoryIn(row), row.version, ref)
}

/** A repository with its version. A name may come to mean another repository without a change of version. */
export function withVersion<R extends Repository>(
  repository: R,
  text: string,
  ref: SeenRef,
): Versioned<R> {
  const of = { table: 'repositories', id: repository.id } as const
  return Object.assign(repository, { version: 'id' in ref ? { text, of } : { text } })
}

/** Data of other tables that are read with a record: the columns, their joins, and their names. */
interface Joined<J> {
  columns: string
  joins: string
  members: readonly (keyof J & string)[]
}

function joinedIn<J>(row: object, members: readonly (keyof J & string)[]): J {
  const values = row as Record<string, unknown>
  return Object.fromEntries(members.map((name) => [name, values[name]])) as J
}

/** Reads a record by its id, in one statement with its repository; with its version, if it has one. */
export function inRepository<R extends object, J extends object = object>(
  table: 'builds' | 'crons' | 'jobs' | 'requests',
  recordIn: (written: Written<R>) => R,
  versioned?: VersionedTable,
  joined: Joined<J> = { columns: '', joins: '', members: [] },
) {
  const read = readAsked<{ record: Written<R> }>(
    prepared<AskedRow<{ record: Written<R> }>>(`
      select asked.position, row_to_json(${table}) as record, ${joined.columns} ${seen},
        ${versioned ? versionsOf[versioned] : `''`} as version
      from ${asked} join ${table} on ${table}.id = asked.id
      join repositories on repositories.id = ${table}.repository_id ${withRole} ${joined.joins}
      where ${existingRepository}
    `),
  )
  return async (
    db: Database,
    id: number,
    userId: number | undefined,
  ): Promise<Versioned<InRepository<R & J>> | undefined> => {
    const row = await read(db, { id, viewer: userId ?? null })
    if (!row) return
    const { record, version: text } = row
    const others = joinedIn<J>(row, joined.members)
    const version = versioned ? { text, of: { table: versioned, id } } : { text }
    return Object.assign(recordIn(record), others, { repository: seenRepositoryIn(row), version })
  }
}

const withLastBuild = readNamed<{ record: Written<Build> | null; version: string }>({
  columns: `row_to_json(builds) as record, ${versionOfBuild} as version`,
  joins: `left join lateral (
      select last_build_id from branches
      where branches.repository_id = repositories.id and branches.name = any(${listed('$2', 'text[]')})
      order by last_build_id desc nulls last limit 1) as branch on true
    left join builds on builds.id = branch.last_build_id`,
  parameters: 1,
})

/** The newest of the last builds of these branches, read in one statement with its repository. */
export async function findSeenBuildOfBranch(
  db: Database,
  ref: SeenRef,
  branches: readonly string[],
  userId: number | undefined,
): Promise<Versioned<InRepository<Build>> | undefined> {
  const row = await withLastBuild(db, ref, userId, branches)
  if (!row?.record) return undefined
  const { record, version: text } = row
  const repository = seenRepositoryIn(row)
  return Object.assign(buildIn(record), { repository, version: { text } })
}

export const findSeenBuild = inRepository<Build>('builds', buildIn, 'builds')
export const findSeenRequest = inRepository<Request>('requests', requestIn, 'requests')
/** Jobs have no ETag. */
export const findSeenJob = inRepository<Job>('jobs', jobIn)

/** A cron with the branch that it builds; it has no ETag either. */
export const findSeenCron = inRepository<Cron, { branch: KnownBranch }>(
  'crons',
  cronIn,
  undefined,
  {
    columns: 'row_to_json(branches) as branch,',
    joins: 'join branches on branches.id = crons.branch_id',
    members: ['branch'],
  },
)

/** Further facts needed before a job's log is shown. */
interface LogFacts {
  removed_at: Date | null
  /** Name or login of the user who removed the log; null if the user is deleted. */
  removed_by: string | null
  /** Whether no more output of the current attempt comes, if its job has finished. */
  log_ended: boolean
  /** The settings that were set. */
  repository_settings: Partial<Settings> | null
}

/** A job with the user who removed its log, if it was removed, and its repository's settings. */
export type SeenLog = InRepository<Job & LogFacts>

/** A log has the id of its job (LG-01). */
export const findSeenLog = inRepository<Job, LogFacts>('jobs', jobIn, undefined, {
  columns: `logs.removed_at, coalesce(remover.name, remover.login) as removed_by,
    logs.scanned_at is not null or logs.archived_at is not null or coalesce((
      select final from log_parts
      where log_id = jobs.id and log_parts.attempt = jobs.attempt
      order by log_parts.number desc limit 1
    ), true) as log_ended,
    repository_settings.values as repository_settings,`,
  joins: `left join logs on logs.id = jobs.id
    left join users as remover on remover.id = logs.removed_by_id
    left join repository_settings on repository_settings.repository_id = jobs.repository_id`,
  members: ['removed_at', 'removed_by', 'log_ended', 'repository_settings'],
})
