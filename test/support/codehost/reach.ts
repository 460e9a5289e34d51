import type { Caller } from './authenticate.ts'
import { notForIntegrations, notFound, Refusal } from './reply.ts'
import type { Call } from './route.ts'
import {
  type Account,
  type Installation,
  isSameName,
  type Repository,
  type Role,
  slugOf,
} from './tables.ts'
import type { World } from './world.ts'

type Level = 'read' | 'write'

/** The repository that a path names, if the caller may do this with it. Throws the error response. */
export function reachRepository(call: Call, permission: string, level: Level): Repository {
  const { world, caller, params } = call
  const repository = named(world, params)
  if (!repository || !canSee(world, caller, repository)) throw notFound()
  if (isFormerSlug(repository, params)) throw moved(call, repository)
  if (level === 'write' && repository.archived) {
    throw new Refusal({ status: 403, message: 'Repository was archived so is read-only.' })
  }
  if (!may(caller, repository, permission, level)) {
    throw caller.kind === 'nobody'
      ? new Refusal({ status: 401, message: 'Requires authentication' })
      : notForIntegrations(`${permission}=${level}`)
  }
  return repository
}

function named({ tables }: World, params: Call['params']): Repository | undefined {
  if (params.repository_id !== undefined) {
    return tables.repositories.find(({ id }) => String(id) === params.repository_id)
  }
  return findBySlug(tables.repositories, slugIn(params))
}

/** Names of today go before names of the past. */
export function findBySlug(repositories: Repository[], slug: string): Repository | undefined {
  return (
    repositories.find((each) => isSameName(slugOf(each), slug)) ??
    repositories.find((each) => each.former_slugs.some((former) => isSameName(former, slug)))
  )
}

const slugIn = ({ owner, repo }: Call['params']) => `${owner}/${repo}`

function isFormerSlug(repository: Repository, params: Call['params']): boolean {
  return params.repository_id === undefined && !isSameName(slugOf(repository), slugIn(params))
}

function moved({ world, method, path, query }: Call, { id }: Repository): Refusal {
  const rest = path.split('/').slice(4).join('/')
  const search = query.size > 0 ? `?${query}` : ''
  const url = `${world.apiUrl}/repositories/${id}${rest && `/${rest}`}${search}`
  return new Refusal({
    status: method === 'GET' ? 301 : 307,
    message: 'Moved Permanently',
    headers: { location: url },
    url,
  })
}

/** Whether it is there at all, for this caller. */
export function canSee(world: World, caller: Caller, repository: Repository): boolean {
  if (!repository.private) return true
  if (caller.kind === 'installation') return isWithin(caller, repository)
  if (caller.kind !== 'user') return false
  // A token of an app sees what both its user and the app may see.
  const installed = world.tables.installations.some((each) => covers(each, repository))
  return installed && roleOf(repository, caller.user) !== undefined
}

/** Whether the caller, who sees a repository, may do this with it. */
export function may(
  caller: Caller,
  repository: Repository,
  permission: string,
  level: Level,
): boolean {
  // Whatever is public can be read by everyone, except that the app must ask with a token.
  if (level === 'read' && !repository.private) return caller.kind !== 'app'
  if (caller.kind === 'user') {
    return (
      level === 'read' ||
      ['admin', 'maintain', 'write'].includes(roleOf(repository, caller.user) ?? '')
    )
  }
  if (caller.kind !== 'installation' || !isWithin(caller, repository)) return false
  const granted = permission === 'metadata' ? 'read' : caller.permissions[permission]
  return granted === 'write' || granted === level
}

function isWithin(
  { installation, repositories }: Extract<Caller, { kind: 'installation' }>,
  repository: Repository,
): boolean {
  return covers(installation, repository) && (repositories?.has(repository) ?? true)
}

/** Whether an installation has a repository. */
export function covers(installation: Installation, repository: Repository): boolean {
  if (installation.account !== repository.owner) return false
  return installation.repository_selection === 'all' || installation.repositories.has(repository)
}

export function installationOf({ tables }: World, repository: Repository) {
  return tables.installations.find((each) => covers(each, repository))
}

/** What a user may do with a repository beyond what everyone may; undefined for nothing. */
export function roleOf({ owner, collaborators }: Repository, user: Account): Role | undefined {
  if (owner === user || owner.members.get(user.id) === 'admin') return 'admin'
  return collaborators.get(user.id) ?? (owner.members.has(user.id) ? 'read' : undefined)
}
