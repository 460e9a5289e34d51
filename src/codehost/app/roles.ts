import type { AccountFacts } from '../../domain/event.ts'
import type { Role } from '../../domain/repository.ts'
import type { ChangedRole, RepositoryRef } from '../codehost.ts'
import type { App } from './app.ts'
import { scopeOf, undefinedIfMissing } from './client.ts'
import type { ResponseData } from './octokit.ts'

type User = ResponseData<'users', 'getById'>
type Level = ResponseData<'repos', 'getCollaboratorPermissionLevel'>

/** Roles by the code host's older names: `write` includes maintainers, `read` includes the triage role. */
const roles: Readonly<Record<string, Role>> = {
  admin: { pull: true, push: true, admin: true },
  write: { pull: true, push: true, admin: false },
  read: { pull: true, push: false, admin: false },
}

export async function findRole(
  app: App,
  repository: RepositoryRef,
  { codehost_id, login }: AccountFacts,
): Promise<Role | undefined> {
  const level = await levelOf(app, repository, login)
  if (level?.user?.id === codehost_id) return roles[level.permission]
  // The user has a new login, and another account may have the old one.
  const parameters = { account_id: codehost_id }
  const user = await app.find<User>(scopeOf(repository), 'GET /user/{account_id}', parameters)
  if (!user || user.login === login) return undefined
  const renamed = await levelOf(app, repository, user.login)
  return renamed?.user?.id === codehost_id ? roles[renamed.permission] : undefined
}

/**
 * Queries all repositories of the installation with one token. Nothing is found if the app
 * cannot see the repository, or if the user has a new login: the role is then queried separately.
 */
export async function changedRole(
  app: App,
  repository: RepositoryRef,
  user: AccountFacts,
  etag: string | null,
): Promise<ChangedRole | undefined> {
  const { installation } = scopeOf(repository)
  const scope = { installation, slug: repository.slug, permissions: { metadata: 'read' } } as const
  const parameters = { id: repository.codehost_id, username: user.login }
  const missing = { data: null, etag: null, more: false }
  const found = await app
    .fresh<Level>(scope, route, etag, parameters)
    .catch((error: unknown) => undefinedIfMissing(error) ?? missing)
  if (!found) return undefined
  const { data: level } = found
  if (level?.user?.id === user.codehost_id)
    return { role: roles[level.permission], etag: found.etag }
  return { role: await findRole(app, repository, user), etag: null }
}

const route = 'GET /repositories/{id}/collaborators/{username}/permission'

function levelOf(
  { find }: App,
  repository: RepositoryRef,
  username: string,
): Promise<Level | undefined> {
  const parameters = { id: repository.codehost_id, username }
  return find<Level>(scopeOf(repository), route, parameters)
}
