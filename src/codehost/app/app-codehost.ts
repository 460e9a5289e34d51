import type { Codehost, Installations, People } from '../codehost.ts'
import type { App } from './app.ts'
import { createClient, scopeOf } from './client.ts'
import { checkRunsOf, putCheckRun } from './check-runs.ts'
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
import { AppOctokit, type Octokit } from './octokit.ts'
import { createPeople } from './people.ts'
import { headsOf, pushedRepositories, pusherOf, sendAgain, sentWebhooks } from './past.ts'
import { findPull } from './pulls.ts'
import { findRepository, repositoryShownTo } from './repositories.ts'
import { changedRole, findRole } from './roles.ts'
import { postStatus, statusesOf } from './statuses.ts'
import { newestTags } from './tags.ts'
import { createTokens } from './tokens.ts'
import { findUser } from './users.ts'

interface AppOptions {
  /** Authenticated as the app: what Probot's `auth()` returns. */
  octokit(): Promise<Octokit>
  apiUrl: string
  webUrl: string
  /** What the app logs people in with. */
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

/** The most seconds that a fetch takes, submodules included. */
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
