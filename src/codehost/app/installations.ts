import type { InstallationFacts } from '../../domain/installation.ts'
import type { RepositoryFacts } from '../../domain/event.ts'
import type { App } from './app.ts'
import type { ResponseData } from './octokit.ts'
import { repositoryFacts } from './repositories.ts'

type Installation = ResponseData<'apps', 'listInstallations'>[number]
/** As a user sees it. */
type Seen = ResponseData<'apps', 'listInstallationsForAuthenticatedUser'>['installations'][number]
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
