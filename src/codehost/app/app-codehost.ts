import {
  type Codehost,
  type Installations,
  type People,
  CodehostError,
  type UserFacts,
} from '../codehost.ts'
import type { App } from './app.ts'
import { checkRunsOf, putCheckRun } from './check-runs.ts'
import { createClient, scopeOf } from './client.ts'
import { findCommit, findTip, isBehind } from './commits.ts'
import { readFile, readFolder } from './files.ts'
import {
  findInstallation,
  findMembership,
  installationsOf,
  repositoriesOf,
} from './installations.ts'
import { listingsOf } from './listings.ts'
import { createLogins } from './logins.ts'
import { AppOctokit, type Octokit, type ResponseData } from './octokit.ts'
import { headsOf, pushedRepositories, pusherOf, sendAgain, sentWebhooks } from './past.ts'
import { createPeople } from './people.ts'
import { findPull } from './pulls.ts'
import { findRepository, repositoryShownTo } from './repositories.ts'
import { changedRole, findRole } from './roles.ts'
import { postStatus, statusesOf } from './statuses.ts'
import { newestTags } from './tags.ts'
import { createTokens } from './tokens.ts'

interface AppOptions {
  /** Authenticated as the app: what Probot's `auth()` returns. */
  octokit(): Promise<Octokit>
  apiUrl: string
  webUrl: string
  /** The app's credentials for logging people in. */
  client?: { id: string; secret: string }
  log: Log
  now?: () => Date
}

type Log = Record<'debug' | 'info' | 'warn' | 'error', (text: string) => void>

export interface AppCodehost extends Codehost, App {
  readonly provider: 'codehost'
  readonly installations: Installations
  readonly people: People
}

/** Maximum duration of a fetch in seconds, including submodules. */
const longestFetch = 10 * 60

/** The code host that the app is registered at, GitHub or a GitHub Enterprise Server. */
export function createAppCodehost(options: AppOptions): AppCodehost {
  const { octokit, apiUrl, webUrl, client, log, now = () => new Date() } = options
  const tokens = createTokens(octokit, now)
  const bare = new AppOctokit({ baseUrl: apiUrl, authStrategy: undefined, log })
  const app: App = { ...createClient({ octokit, bare, apiUrl, tokens, now }), tokens, webUrl }
  return {
    ...app,
    provider: 'codehost',
    file: (ref, path, sha) => readFile(app, ref, path, sha),
    tree: (ref, path, sha) => readFolder(app, ref, path, sha),
    commit: (ref, name) => findCommit(app, ref, name),
    tip: (ref, name) => findTip(app, ref, name),
    isBehind: (ref, sha, other) => isBehind(app, ref, sha, other),
    pull: (ref, number) => findPull(app, ref, number),
    postStatus: (ref, sha, status) => postStatus(app, ref, sha, status),
    statuses: (ref, sha) => statusesOf(app, ref, sha),
    putCheckRun: (ref, run, again = false) => putCheckRun(app, ref, run, again),
    checkRuns: (ref, sha) => checkRunsOf(app, ref, sha),
    user: (login) => findUser(app, login),
    role: (ref, user) => findRole(app, ref, user),
    rights: {
      changed: (ref, user, etag) => changedRole(app, ref, user, etag),
      isSpent: (ref) => ref.installation !== null && app.isSpent(scopeOf(ref)),
    },
    repository: (ref) => findRepository(app, ref),
    async cloneSource(ref, { withToken, isNew }) {
      const url = `${webUrl}/${ref.slug}.git`
      if (!withToken) return { kind: 'url', url, token: null }
      const scope = { ...scopeOf(ref), permissions: { contents: 'read' } } as const
      if (isNew) tokens.forget(scope)
      const { token } = await tokens.get(scope, longestFetch)
      return { kind: 'url', url, token }
    },
    listings: listingsOf(app),
    past: {
      sent: (since) => sentWebhooks(app, since),
      sendAgain: ({ id }) => sendAgain(app, id),
      pushed: (installation) => pushedRepositories(app, installation),
      heads: (ref) => headsOf(app, ref),
      tags: (ref) => newestTags(app, ref),
      pusher: (ref, to) => pusherOf(app, ref, to),
    },
    installations: {
      all: () => installationsOf(app),
      find: (installation) => findInstallation(app, installation),
      repositories: (installation) => repositoriesOf(app, installation),
      repository: (installation, ref) => repositoryShownTo(app, installation, ref),
      membership: (installation, org, user) => findMembership(app, installation, org, user),
    },
    people: {
      ...createPeople(bare, now),
      ...(client ? { logins: createLogins(bare, { webUrl, client, now }) } : {}),
    },
  }
}

type User = ResponseData<'users', 'getByUsername'>

/** Some code hosts require authentication for this, so the token of any installation is used. */
async function findUser(app: App, login: string): Promise<UserFacts | undefined> {
  if (!/^[\w-]+(?:\[bot\])?$/.test(login)) return undefined
  const any = (await installationsOf(app)).find(({ suspended }) => !suspended)
  if (!any) {
    const message =
      'the app is not installed anywhere yet, so users cannot be looked up at the code host'
    throw new CodehostError(message, { kind: 'refused' })
  }
  const scope = { installation: any.codehost_id, permissions: { metadata: 'read' } } as const
  const found = await app.find<User>(scope, 'GET /users/{login}', { login })
  if (!found) return undefined
  const { id, name, email, avatar_url } = found
  return { codehost_id: id, login: found.login, name, email, avatar_url }
}
