import type { Listings, PageAsked, ReadPage } from '../codehost.ts'
import type { App } from './app.ts'
import { type FreshPage, perPage } from './client.ts'
import { installationFacts } from './installations.ts'
import type { ResponseData } from './octokit.ts'
import { repositoryFacts } from './repositories.ts'

type Profile = ResponseData<'users', 'getAuthenticated'>
type Emails = ResponseData<'users', 'listEmailsForAuthenticatedUser'>
type Memberships = ResponseData<'orgs', 'listMembershipsForAuthenticatedUser'>
type Installations = ResponseData<'apps', 'listInstallationsForAuthenticatedUser'>
type Repositories = ResponseData<'apps', 'listInstallationReposForAuthenticatedUser'>

/** Lists that users can see, read with their own tokens. */
export function listingsOf({ fresh }: App): Listings {
  /**
   * A page of a list without a count: a full page does not change when more entries follow, so the next
   * page is always fetched after it.
   */
  async function growing<D extends readonly unknown[]>(
    ...asked: Parameters<typeof fresh<D>>
  ): Promise<FreshPage<D> | undefined> {
    const page = await fresh<D>(...asked)
    return page && { ...page, more: page.more || page.data.length === perPage }
  }

  return {
    async profile(as, { etag }) {
      return shown(await fresh<Profile>(as, 'GET /user', etag), (user) => [profileIn(user)])
    },

    async emails(as, asked) {
      const route = 'GET /user/emails'
      return shown(await growing<Emails>(as, route, asked.etag, query(asked)), emailsIn)
    },

    async memberships(as, asked) {
      const active = { state: 'active', ...query(asked) }
      const route = 'GET /user/memberships/orgs'
      return shown(await growing<Memberships>(as, route, asked.etag, active), membershipsIn)
    },

    async installations(as, asked) {
      const route = 'GET /user/installations'
      const page = await fresh<Installations>(as, route, asked.etag, query(asked))
      return shown(page, ({ installations }) => installations.map(installationFacts))
    },

    async repositories(as, installation_id, asked) {
      const route = 'GET /user/installations/{installation_id}/repositories'
      const of = { installation_id, ...query(asked) }
      return shown(await fresh<Repositories>(as, route, asked.etag, of), repositoriesIn)
    },
  }
}

function query({ page }: PageAsked) {
  return { per_page: perPage, page }
}

function shown<D, T>(
  page: FreshPage<D> | undefined,
  entriesIn: (data: D) => T[],
): ReadPage<T> | undefined {
  return page && { entries: entriesIn(page.data), etag: page.etag, more: page.more }
}

function profileIn({ id, login, name, email, avatar_url }: Profile) {
  return { codehost_id: id, login, name, email, avatar_url }
}

function emailsIn(emails: Emails) {
  return emails.map(({ email, verified, primary }) => ({ email, verified, primary }))
}

function membershipsIn(memberships: Memberships) {
  return memberships.map(({ organization: { id, login }, role }) => ({
    organization: { codehost_id: id, login },
    role: role === 'admin' ? ('admin' as const) : ('member' as const),
  }))
}

function repositoriesIn({ repositories }: Repositories) {
  return repositories.map((repository) => {
    const { pull = false, push = false, admin = false } = repository.permissions ?? {}
    return { facts: repositoryFacts(repository), role: { pull, push, admin } }
  })
}
