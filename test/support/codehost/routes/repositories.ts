import { list } from '../paging.ts'
import { roleOf } from '../reach.ts'
import { noContent, notFound, ok } from '../reply.ts'
import { type RepositoryCall, repositoryRoute } from '../route.ts'
import { account, rightsOf } from '../shapes/account.ts'
import { fullRepository } from '../shapes/repository.ts'
import { type Account, isSameName, type Role } from '../tables.ts'

export const repositoryRoutes = [
  ...repositoryRoute('GET', 'metadata', ({ world, caller, repository }) =>
    ok(fullRepository(world, caller, repository)),
  ),

  ...repositoryRoute('GET /collaborators', 'metadata', (call) => {
    const { world, repository } = call
    const all = world.tables.accounts.filter((each) => roleOf(repository, each) !== undefined)
    return list(call, all, (each) => collaborator(call, each))
  }),

  ...repositoryRoute('GET /collaborators/{username}', 'metadata', (call) => {
    if (roleOf(call.repository, userOf(call)) === undefined) throw notFound()
    return noContent
  }),

  ...repositoryRoute('GET /collaborators/{username}/permission', 'metadata', (call) => {
    const user = userOf(call)
    // Strangers may read what is public.
    const role = roleOf(call.repository, user) ?? (call.repository.private ? 'none' : 'read')
    return ok({
      permission: role === 'none' ? role : permissionOf[role],
      role_name: role,
      user: collaborator(call, user),
    })
  }),
]

/** The older words, which know fewer of them. */
const permissionOf: Readonly<Record<Role, string>> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
}

function collaborator({ world, repository }: RepositoryCall, user: Account) {
  const role = roleOf(repository, user) ?? (repository.private ? undefined : 'read')
  return { ...account(world, user), permissions: rightsOf(role), role_name: role ?? 'none' }
}

function userOf({ world, params }: RepositoryCall): Account {
  const { username = '' } = params
  const found = world.tables.accounts.find(({ login }) => isSameName(login, username))
  if (!found || found.type === 'Organization') throw notFound(`${username} is not a user`)
  return found
}
