import { type Caller, refuseSuspended } from '../authenticate.ts'
import { counted, list } from '../paging.ts'
import { canSee, covers, roleOf } from '../reach.ts'
import { notFound, ok, Refusal } from '../reply.ts'
import { type Call, route } from '../route.ts'
import { account, organization, organizationFull, publicUser } from '../shapes/account.ts'
import { installation } from '../shapes/app.ts'
import { permissionsOf, repository } from '../shapes/repository.ts'
import { type Account, type Installation, isSameName, type Repository } from '../tables.ts'
import type { World } from '../world.ts'

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

  route('GET /user/memberships/orgs', (call) => {
    const user = self(call)
    return list(call, organizationsOf(call, user), (org) => membership(call.world, org, user))
  }),

  route('GET /user/installations', (call) => {
    const user = self(call)
    if (call.caller.kind === 'user' && call.caller.scopes) throw notOfAnApp()
    const seen = call.world.tables.installations.filter(
      (each) => reposSeenBy(call.world, each, user).length > 0,
    )
    return counted(call, 'installations', seen, (each) => installation(call.world, each))
  }),

  route('GET /user/installations/{installation_id}/repositories', (call) => {
    const { world, caller, params } = call
    const user = self(call)
    const found = world.tables.installations.find(({ id }) => String(id) === params.installation_id)
    const seen = found ? reposSeenBy(world, found, user) : []
    if (!found || seen.length === 0) throw notFound()
    refuseSuspended(found)
    return counted(call, 'repositories', seen, (each) => ({
      ...repository(world, each),
      ...permissionsOf(caller, each),
    }))
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
    if (!org.members.has(user.id)) throw notFound()
    return ok(membership(world, org, user))
  }),
]

function notOfAnApp(): Refusal {
  const message =
    'You must authenticate with an access token authorized to a GitHub App in order to list ' +
    'installations'
  return new Refusal({ status: 403, message })
}

function membership(world: World, org: Account, user: Account) {
  return {
    url: `${world.apiUrl}/orgs/${org.login}/memberships/${user.login}`,
    state: 'active',
    role: org.members.get(user.id) ?? 'member',
    organization_url: `${world.apiUrl}/orgs/${org.login}`,
    user: account(world, user),
    organization: organization(world, org),
  }
}

/** The repositories of an installation that a user may do more with than everyone, or owns. */
function reposSeenBy({ tables }: World, given: Installation, user: Account): Repository[] {
  return tables.repositories.filter(
    (each) => covers(given, each) && roleOf(each, user) !== undefined,
  )
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
