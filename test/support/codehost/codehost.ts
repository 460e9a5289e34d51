import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RepositoryRef } from '../../../src/codehost/codehost.ts'
import { createGit } from '../../../src/codehost/local/git.ts'
import { accountNamed, addOrganization, addUser } from './acts/accounts.ts'
import { press, rerequest, rerequestSuite } from './acts/checks.ts'
import { acceptPermissions, choose, install, suspend, uninstall } from './acts/installations.ts'
import { renameOrganization, setMember, setRole } from './acts/members.ts'
import { closePull, editPull, markDraft, mergePull, openPull, reopenPull } from './acts/pulls.ts'
import { dequeuePull, queuePull } from './acts/queue.ts'
import { type NewRepository, pushCommit, pushRef } from './acts/repositories.ts'
import {
  create,
  edit,
  fork,
  remove,
  rename,
  setArchived,
  setPrivate,
  transfer,
} from './acts/repository-settings.ts'
import { deliver, holdWebhooks, type Parcel } from './deliveries.ts'
import { deviations } from './description.ts'
import { installationOf } from './reach.ts'
import { registerApp } from './registered-app.ts'
import { checkRunsOf } from './routes/check-runs.ts'
import { statusesOf } from './routes/statuses.ts'
import { openServer } from './server.ts'
import { createTables, type Installation, type Repository, slugOf } from './tables.ts'
import { makePersonalToken, makeUserToken } from './tokens.ts'
import type { App, PullQuirks, World } from './world.ts'

interface Options {
  /** The app's webhook URL; can also be set later. */
  webhookUrl?: string
  /** The clock by which tokens expire. */
  now?: () => Date
  /** Instead of what the app's manifest asks for. */
  app?: Partial<Pick<App, 'permissions' | 'events' | 'callbackUrls'>>
}

export type FakeCodehost = Awaited<ReturnType<typeof startCodehost>>

/**
 * A code host of the test's own: a real HTTP server that speaks those parts of GitHub's interface
 * that we use, and git, over real git repositories in a temporary folder. The app is registered
 * there. The app is notified of what people do by signed webhooks, before the call that does it ends.
 */
export async function startCodehost({ webhookUrl, now = () => new Date(), app }: Options = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'build-service-codehost-'))
  const tables = createTables()
  const world: World = {
    url: '',
    apiUrl: '',
    folder,
    git: createGit(),
    now,
    tables,
    webhookUrl,
    app: { ...registerApp({ tables, now }), ...app },
    readsUntilMerged: 0,
    rateLimit: 5000,
    refusesTokens: undefined,
    pullQuirks: {},
    mostPerPage: 100,
    held: undefined,
    browser: undefined,
    authorized: new Set(),
    manifests: new Map(),
  }
  const server = await openServer(world)

  return {
    /** For people and git. */
    url: world.url,
    /** For programs, as an Enterprise Server has it. Without `/api/v3` all is the same. */
    apiUrl: world.apiUrl,
    app: world.app,
    tables,
    /** All calls so far, in the order in which they came. */
    calls: server.calls,
    /** All webhooks so far. */
    deliveries: tables.deliveries,
    ...peoplesActs(world),

    /** As the rest of the service knows it. */
    refTo: (repository: Repository) => refTo(world, repository),
    /** Newest first. */
    statuses: bind(world, statusesOf),
    /** Newest first. */
    checkRuns: bind(world, checkRunsOf),

    /** Where browsers may be sent after signing in. */
    setCallbackUrls: (urls: readonly string[]) => void (world.app.callbackUrls = urls),
    setWebhookUrl: (url: string | undefined) => void (world.webhookUrl = url),
    /** Sends any webhook at all, signed as ever. */
    deliver: (parcel: Parcel) => deliver(world, parcel),
    /** How many calls report a new merge commit as being created; `Infinity` for always. */
    delayMerges: (reads: number) => void (world.readsUntilMerged = reads),
    /** How pull requests are shown from now on; `{}` for as usual. */
    setPullQuirks: (quirks: PullQuirks) => void (world.pullQuirks = quirks),
    /** Gives no more than so many entries in one page of a list. */
    limitPages: (entries: number) => void (world.mostPerPage = entries),
    /** Keeps webhooks back; the returned function sends them, in the order that it is given. */
    holdWebhooks: () => holdWebhooks(world),
    /** Those that are kept back. Anyone who takes one out delivers it in another way. */
    heldWebhooks: () => world.held ?? [],
    /** Calls that each caller may make in an hour. */
    limitRate: (calls: number) => void (world.rateLimit = calls),
    /** Takes back all tokens of an installation, or of all. */
    revokeTokens: (of?: Installation) => revokeTokens(world, of),
    /**
     * Has calls with the installation tokens that there are, and with later ones, refused with this
     * status, as by a part of the code host that does not know them yet, until the returned
     * function is called.
     */
    refuseNewTokens(status: number) {
      world.refusesTokens = status
      return () => void (world.refusesTokens = undefined)
    },
    userToken: (login: string) => makeUserToken(world, accountNamed(world, login)).token,
    /** A token that someone made for their own programs. */
    personalToken: (login: string, scopes: readonly string[]) =>
      makePersonalToken(world, accountNamed(world, login), scopes).token,
    /** Has someone sit at the browser, or no one. */
    signIn(login: string | undefined) {
      world.browser = login === undefined ? undefined : accountNamed(world, login)
    },

    failNext: server.failures.next,
    failWhile: server.failures.while,
    refuseConnections: server.refuseConnections,

    /**
     * Ends it. Throws if calls or webhooks were not as the code host describes them, unless the test
     * is about what is beyond that.
     */
    async stop({ beyondDescription = false } = {}) {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
      if (beyondDescription) return
      const differing = deviations({ calls: server.calls, deliveries: tables.deliveries })
      if (differing.length > 0) throw new Error(`not as described:\n${differing.join('\n')}`)
    },
  }
}

/** What people do, each with the person's login where it matters who did it. */
function peoplesActs(world: World) {
  return {
    addUser: bind(world, addUser),
    addOrganization: bind(world, addOrganization),
    setRole: bind(world, setRole),
    setMember: bind(world, setMember),
    renameOrganization: bind(world, renameOrganization),

    /** Makes a repository and, unless told otherwise, has the app installed on its owner. */
    async addRepository({
      installed = true,
      ...given
    }: NewRepository & { installed?: boolean } = {}) {
      const repository = await create(world, given)
      if (installed && !installationOf(world, repository)) {
        await install(world, repository.owner.login)
      }
      return repository
    },
    fork: bind(world, fork),
    rename: bind(world, rename),
    transfer: bind(world, transfer),
    setPrivate: bind(world, setPrivate),
    setArchived: bind(world, setArchived),
    edit: bind(world, edit),
    remove: bind(world, remove),

    commit: bind(world, pushCommit),
    pushRef: bind(world, pushRef),
    openPull: bind(world, openPull),
    closePull: bind(world, closePull),
    reopenPull: bind(world, reopenPull),
    mergePull: bind(world, mergePull),
    editPull: bind(world, editPull),
    markDraft: bind(world, markDraft),
    queuePull: bind(world, queuePull),
    dequeuePull: bind(world, dequeuePull),
    rerequest: bind(world, rerequest),
    rerequestSuite: bind(world, rerequestSuite),
    press: bind(world, press),

    install: bind(world, install),
    uninstall: bind(world, uninstall),
    suspend: bind(world, suspend),
    choose: bind(world, choose),
    acceptPermissions: bind(world, acceptPermissions),
  }
}

function bind<A extends unknown[], R>(world: World, act: (world: World, ...args: A) => R) {
  return (...args: A): R => act(world, ...args)
}

function refTo(world: World, repository: Repository): RepositoryRef {
  const installation = installationOf(world, repository)?.id ?? null
  const { id: codehost_id } = repository
  return { codehost_id, slug: slugOf(repository), private: repository.private, installation }
}

function revokeTokens({ tables }: World, of?: Installation): void {
  tables.tokens = tables.tokens.filter(
    (each) => each.kind !== 'installation' || (of !== undefined && each.installation !== of),
  )
}
