import type { Role } from '../../domain/repository.ts'
import type { RepositoryRef } from '../codehost.ts'
import type { App } from './app.ts'
import { scopeOf } from './client.ts'
import type { ResponseData } from './octokit.ts'

type Level = ResponseData<'repos', 'getCollaboratorPermissionLevel'>

/** The levels in their older words: maintainers may `write`, and those who triage may `read`. */
const roles: Readonly<Record<string, Role>> = {
  admin: { pull: true, push: true, admin: true },
  write: { pull: true, push: true, admin: false },
  read: { pull: true, push: false, admin: false },
}

export async function findRole(
  app: App,
  repository: RepositoryRef,
  username: string,
): Promise<Role | undefined> {
  const route = 'GET /repositories/{id}/collaborators/{username}/permission'
  const parameters = { id: repository.codehost_id, username }
  const level = await app.find<Level>(scopeOf(repository), route, parameters)
  return level && roles[level.permission]
}
