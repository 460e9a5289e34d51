import type { Build } from '../domain/build.ts'
import type { Job } from '../domain/job.ts'
import type { Repository, Role, Seen } from '../domain/repository.ts'
import type { Request } from '../domain/request.ts'
import { buildMembers, jobMembers, repositoryMembers, requestMembers } from './members.ts'
import { columns, prepared, taken } from './prepared.ts'
import { isSlug, largestId, type RepositoryRef } from './repositories.ts'
import type { Database } from './tables.ts'
import { visibleFirst } from './visibility.ts'
import { versionOfBuild, versionOfRepository, versionOfRequest } from './versions.ts'

/** A record together with its repository, as one viewer sees it. */
export type InRepository<T> = T & { repository: Seen<Repository> }

/** With a text that changes with anything that its answers show (see `versions.ts`). */
type Versioned<T> = T & { version: string }

const repositoryPrefix = 'repository.'

/** What is read of a repository and of the role that the viewer `$1` has on it, null without one. */
const seen = `${columns('repositories', repositoryMembers, repositoryPrefix)},
  permissions.pull, permissions.push, permissions.admin`

const withRole = `left join permissions
  on permissions.repository_id = repositories.id and permissions.user_id = $1`

/** What is left of a repository when its owner is gone is shown to no one. */
const existing = `repositories.deleted_at is null and repositories.invalidated_at is null and (
  repositories.owner_type = 'User'
    and exists (select from users where users.id = repositories.owner_id)
  or repositories.owner_type = 'Organization'
    and exists (select from organizations where organizations.id = repositories.owner_id))`

/**
 * Of several repositories that a slug names: one that the viewer can see before others, the code
 * host's before this machine's, then the one updated last.
 */
const bestFirst = `${visibleFirst}, (repositories.provider = 'codehost') desc,
  repositories.updated_at desc`

interface SeenRow {
  pull: boolean | null
  push: boolean | null
  admin: boolean | null
  version: string
}

function repositoryIn(row: SeenRow): Seen<Repository> {
  const repository = taken<Repository>(row, repositoryMembers, repositoryPrefix)
  const { pull, push, admin } = row
  const role: Role | null =
    pull === null || push === null || admin === null ? null : { pull, push, admin }
  return { ...repository, role }
}

const repositoryBy = (condition: string) =>
  prepared<SeenRow>(`
    select ${seen}, ${versionOfRepository} as version from repositories ${withRole}
    where ${existing} and ${condition} order by ${bestFirst} limit 1
  `)

const slug = 'lower(owner_name) = $2 and lower(repositories.name) = $3'
const byId = repositoryBy('repositories.id = $2')
const bySlug = repositoryBy(slug)
const bySlugAt = repositoryBy(`${slug} and provider = $4`)

/** How viewers name a repository. */
export type SeenRef = Exclude<RepositoryRef, { codehost_id: number }>

/** As `findRepository`, with the role that the user has on it. */
export async function findSeenRepository(
  db: Database,
  ref: SeenRef,
  userId: number | undefined,
): Promise<Versioned<Seen<Repository>> | undefined> {
  const [row] = await rowsOf(db, ref, userId ?? null)
  return row && { ...repositoryIn(row), version: row.version }
}

async function rowsOf(
  db: Database,
  ref: SeenRef,
  userId: number | null,
): Promise<readonly SeenRow[]> {
  if ('id' in ref) return ref.id > largestId ? [] : byId(db, userId, ref.id)
  if (!isSlug(ref.slug)) return []
  const names = ref.slug.toLowerCase().split('/', 2)
  return ref.provider === undefined
    ? bySlug(db, userId, ...names)
    : bySlugAt(db, userId, ...names, ref.provider)
}

/** Reads a record by its id, in the same statement as its repository. */
function recordIn<R extends object>(
  table: 'builds' | 'jobs' | 'requests',
  members: readonly (keyof R & string)[],
  version: string,
) {
  const read = prepared<SeenRow>(`
    select ${columns(table, members)}, ${seen}, ${version} as version
    from ${table} join repositories on repositories.id = ${table}.repository_id ${withRole}
    where ${existing} and ${table}.id = $2
  `)
  return async (
    db: Database,
    id: number,
    userId: number | undefined,
  ): Promise<Versioned<InRepository<R>> | undefined> => {
    const [row] = await read(db, userId ?? null, id)
    if (!row) return
    const repository = repositoryIn(row)
    return { ...taken<R>(row, members), repository, version: row.version }
  }
}

export const findSeenBuild = recordIn<Build>('builds', buildMembers, versionOfBuild)
export const findSeenRequest = recordIn<Request>('requests', requestMembers, versionOfRequest)
/** Jobs have no ETag. */
export const findSeenJob = recordIn<Job>('jobs', jobMembers, `''`)
