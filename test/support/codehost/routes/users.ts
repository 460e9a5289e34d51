import type { Caller } from '../authenticate.ts'
import { counted, list } from '../paging.ts'
import { canSee, covers, roleOf } from '../reach.ts'
import { notFound, ok, Refusal } from '../reply.ts'
import { type Call, route } from '../route.ts'
import { account, organization, organizationFull, publicUser } from '../shapes/account.ts'
import { installation } from '../shapes/app.ts'
import { permissionsOf, repository } from '../shapes/repository.ts'
import { type Account, isSameName, type Repository } from '../tables.ts'

export const userRoutes = [
  route('GET /user', (call) => ok(publicUser(call.world, self(call)))),

  route('GET /user/emails', (call) => {
    const { email } = self(call)
    const shown = { email, primary: true, verified: true, visibility: 'public' }
    return list(call, email === null ? [] : [shown], (each) => each)
  }),

  route('GET /user/orgs', (call) =>
    list(call, organizationsOf(call, self(call)), (each) => organization(call.world, each)),
  ),

  route('GET /user/installations', (call) => {
    const user = self(call)
    if (call.caller.kind === 'user' && call.caller.scopes) throw notOfAnApp()
    const { tables } = call.world
    const all = tables.installations.filter((each) =>
      tables.repositories.some(
        (repository) => covers(each, repository) && roleOf(repository, user) !== undefined,
      ),
    )
    return counted(call, 'installations', all, (each) => installation(call.world, each))
  }),

  route('GET /user/repos', (call) => {
    const user = self(call)
    return repositories(call, (each) => roleOf(each, user) !== undefined)
  }),

  route('GET /user/{account_id}', (call) => {
    const { world, params } = call
    const found = world.tables.accounts.find(({ id }) => String(id) === params.account_id)
    if (!found) throw notFound()
    return ok(publicUser(world, found))
  }),

  route('GET /users/{username}', (call) => ok(publicUser(call.world, named(call, 'username')))),

  route('GET /users/{username}/repos', (call) => {
    const owner = named(call, 'username')
    return repositories(call, (each) => each.owner === owner)
  }),

  route('GET /orgs/{org}', (call) => ok(organizationFull(call.world, named(call, 'org')))),

  route('GET /orgs/{org}/repos', (call) => {
    const owner = named(call, 'org')
    return repositories(call, (each) => each.owner === owner)
  }),

  route('GET /orgs/{org}/members', (call) => {
    const { world, query } = call
    const { members } = membersOf(call)
    const wanted = query.get('role') ?? 'all'
    const all = world.tables.accounts.filter(({ id }) => {
      const role = members.get(id)
      return role !== undefined && (wanted === 'all' || role === wanted)
    })
    return list(call, all, (each) => account(world, each))
  }),

  route('GET /orgs/{org}/memberships/{username}', (call) => {
    const { world } = call
    const org = membersOf(call)
    const user = named(call, 'username')
    const role = org.members.get(user.id)
    if (role === undefined) throw notFound()
    return ok({
      url: `${world.apiUrl}/orgs/${org.login}/memberships/${user.login}`,
      state: 'active',
      role,
      organization_url: `${world.apiUrl}/orgs/${org.login}`,
      user: account(world, user),
      organization: organization(world, org),
    })
  }),
]

function notOfAnApp(): Refusal {
  const message =
    'You must authenticate with an access token authorized to a GitHub App in order to list ' +
    'installations'
  return new Refusal({ status: 403, message })
}

function self({ caller }: Call): Account {
  if (caller.kind === 'user') return caller.user
  throw caller.kind === 'nobody'
    ? new Refusal({ status: 401, message: 'Requires authentication' })
    : new Refusal({ status: 403, message: 'Resource not accessible by integration' })
}

function named({ world, params }: Call, name: 'username' | 'org'): Account {
  const found = world.tables.accounts.find(({ login }) => isSameName(login, params[name] ?? ''))
  if (!found || (name === 'org' && found.type !== 'Organization')) throw notFound()
  return found
}

/** An organization whose members the caller may know. */
function membersOf(call: Call): Account {
  const org = named(call, 'org')
  if (mayKnowMembers(call.caller, org)) return org
  throw new Refusal({ status: 403, message: 'Resource not accessible by integration' })
}

function mayKnowMembers(caller: Caller, org: Account): boolean {
  if (caller.kind === 'user') return org.members.has(caller.user.id)
  return (
    caller.kind === 'installation' &&
    caller.installation.account === org &&
    caller.permissions.members !== undefined
  )
}

function organizationsOf({ world }: Call, user: Account): Account[] {
  return world.tables.accounts.filter(({ members }) => members.has(user.id))
}

function repositories(call: Call, isWanted: (repository: Repository) => boolean) {
  const { world, caller } = call
  const all = world.tables.repositories.filter(
    (each) => isWanted(each) && canSee(world, caller, each),
  )
  return list(call, all, (each) => ({ ...repository(world, each), ...permissionsOf(caller, each) }))
}
