import type { AccountFacts, RepositoryFacts } from '../../domain/event.ts'
import type { InstallationFacts } from '../../domain/installation.ts'
import type { MembershipFacts } from '../codehost.ts'
import type { App } from './app.ts'
import type { ResponseData } from './octokit.ts'
import { repositoryFacts } from './repositories.ts'

type Installation = ResponseData<'apps', 'listInstallations'>[number]
/** An installation as a user sees it. */
type Seen = ResponseData<'apps', 'listInstallationsForAuthenticatedUser'>['installations'][number]
type Membership = ResponseData<'orgs', 'getMembershipForUser'>
type User = ResponseData<'users', 'getById'>
type Repositories = ResponseData<'apps', 'listReposAccessibleToInstallation'>

/** Every installation of the app, suspended ones included. */
export async function installationsOf(app: App): Promise<InstallationFacts[]> {
  const pages = await app.pages<Installation[]>('app', 'GET /app/installations')
  return pages.flat().map(installationFacts)
}

export async function findInstallation(
  { find }: App,
  installation_id: number,
): Promise<InstallationFacts | undefined> {
  const route = 'GET /app/installations/{installation_id}'
  const found = await find<Installation>('app', route, { installation_id })
  return found && installationFacts(found)
}

/** The repositories that an installation has access to. */
export async function repositoriesOf(app: App, installation: number): Promise<RepositoryFacts[]> {
  const scope = { installation, permissions: { metadata: 'read' } } as const
  const pages = await app.pages<Repositories>(scope, 'GET /installation/repositories')
  return pages.flatMap(({ repositories }) => repositories.map(repositoryFacts))
}

/** A user who was only invited, or who took over another's former login, is not a member. */
export async function findMembership(
  app: App,
  installation: number,
  organization: AccountFacts,
  { codehost_id, login }: AccountFacts,
): Promise<MembershipFacts['role'] | undefined> {
  const scope = { installation, permissions: { members: 'read' } } as const
  const roleOf = async (username: string) => {
    const route = 'GET /orgs/{org}/memberships/{username}'
    const found = await app.find<Membership>(scope, route, { org: organization.login, username })
    const isThem = found?.user?.id === codehost_id && found.state === 'active'
    if (!isThem || found.organization.id !== organization.codehost_id) return undefined
    return found.role === 'admin' ? 'admin' : 'member'
  }
  const byLogin = await roleOf(login)
  if (byLogin) return byLogin
  const parameters = { account_id: codehost_id }
  const user = await app.find<User>(scope, 'GET /user/{account_id}', parameters)
  return user && user.login !== login ? roleOf(user.login) : undefined
}

export function installationFacts(installation: Installation | Seen): InstallationFacts {
  const { id, account, repository_selection, permissions, events, suspended_at } = installation
  // Enterprises, which have no login, own no repositories.
  const login = account && 'login' in account ? account.login : ''
  return {
    codehost_id: id,
    account: {
      codehost_id: account?.id ?? 0,
      login,
      type: installation.target_type === 'Organization' ? 'Organization' : 'User',
    },
    repository_selection,
    permissions,
    events,
    suspended: suspended_at !== null,
  }
}
