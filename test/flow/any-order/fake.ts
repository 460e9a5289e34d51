import { CodehostError } from '../../../src/codehost/codehost.ts'
import type { CommitStatus } from '../../../src/domain/commit/status.ts'
import type { Context } from '../../../src/flow/context.ts'
import { syncInstallation } from '../../../src/flow/repositories/sync-installation.ts'
import { secondsAgo } from '../../../src/store/sql/age.ts'
import type { openDoor } from '../../bot/door.ts'
import type { FakeCodehost } from '../../support/codehost/codehost.ts'
import type { Parcel } from '../../support/codehost/deliveries.ts'
import { problemsOf } from './problems.ts'
import { serviceOf, type Setting } from './service.ts'

/**
 * The possible steps: at the code host, on the way from there, in the service, and in its calls.
 */
export const steps = [
  ...['push', 'push', 'push back', 'retarget', 'slow merges', 'conflict', 'close', 'reopen'],
  ...['unsettled', 'no merge commit', 'queue', 'leave queue'],
  ...['deliver', 'deliver', 'deliver', 'deliver twice', 'work', 'work', 'work', 'finish', 'finish'],
  ...['answer', '401', '403', '404', '500', 'new tokens'],
] as const
export type Step = (typeof steps)[number]

export interface Scene {
  ctx: Context
  host: FakeCodehost
  door: Awaited<ReturnType<typeof openDoor>>
}

let stories = 0

/**
 * A repository at the fake code host, with an opened pull request whose event has not arrived yet.
 * Webhooks arrive at the endpoint, and all calls go to the code host over HTTP.
 */
export async function fakeInAnyOrder({ ctx, host, door }: Scene, { pick }: Setting) {
  const { db } = ctx
  const fork = pick() % 2 === 0
  const name = `story-${(stories += 1)}`
  const file = { '.service.yml': 'script: make\n' }
  // Each story has its own owner, so that the app is installed and announced again.
  const release = host.holdWebhooks()
  const repository = await host.addRepository({ name, owner: `owner-${stories}`, files: file })
  await host.commit(repository, { branch: 'easy' })
  const from = fork ? await host.fork(repository, `forker-${stories}`) : repository
  const heads = [await host.commit(from, { branch: 'greet', files: { greeting: 'hello\n' } })]
  for (const parcel of host.heldWebhooks().splice(0)) await receive(parcel)
  // As the queue does after the event of the installation.
  await syncInstallation(ctx, host.refTo(repository).installation ?? 0)
  const pull = await host.openPull(repository, { head: 'greet', from })
  const { work, finish } = serviceOf(ctx, idOfRepository)
  let queued: string[] = []
  let left: string[] = []
  let repairs: (() => void)[] = []
  let denies = false
  /**
   * Whether an event arrived while the code host refused to confirm it: then the event is believed.
   */
  let isMisled = false

  async function idOfRepository(): Promise<number> {
    const found = await db
      .selectFrom('repositories')
      .select('id')
      .where('codehost_id', '=', repository.id)
      .executeTakeFirst()
    return found?.id ?? 0
  }

  async function receive({ event, payload }: Parcel): Promise<boolean> {
    try {
      await door(event, payload)
      return true
    } catch (error) {
      if (!(error instanceof CodehostError) || !error.temporary) throw error
      // As after the last attempt of the queue: the code host is asked to redeliver the event.
      await db
        .updateTable('deliveries')
        .set({ state: 'failed', result: 'error' })
        .where('state', '=', 'received')
        .execute()
      return false
    }
  }

  /** An event on its way; as in the queue, it waits for the code host if necessary. */
  async function deliver({ twice = false } = {}): Promise<void> {
    const underway = host.heldWebhooks()
    const at = pick() % Math.max(1, underway.length)
    const parcel = underway[at]
    isMisled ||= denies
    if (!parcel || !(await receive(parcel))) return
    if (twice) await receive(parcel)
    underway.splice(at, 1)
  }

  async function push(): Promise<void> {
    const text = `hello ${pick()} ${heads.length}\n`
    // On top of the base it no longer has a conflict; a fork lacks later pushes to the base.
    const parent = !fork && pick() % 2 ? { parent: pull.base.sha } : {}
    const files = { ...file, greeting: text }
    heads.push(await host.commit(from, { branch: 'greet', files, ...parent }))
  }

  async function queue(): Promise<void> {
    if (pull.state === 'closed') return
    await leaveQueue()
    const sha = await host.queuePull(pull).catch(() => undefined)
    if (sha === undefined) return
    queued.push(sha)
    // A commit that is queued again is built again.
    left = left.filter((each) => each !== sha)
  }

  async function leaveQueue(): Promise<void> {
    const sha = await host.dequeuePull(pull)
    if (sha === undefined) return
    queued = queued.filter((each) => each !== sha)
    left.push(sha)
  }

  const isOpen = () => pull.state === 'open'
  const fail = (status: number) => repairs.push(host.failWhile({ kind: 'status', status }))
  const deny = (status: number) => {
    denies = true
    fail(status)
  }
  const acts: Record<Step, () => unknown> = {
    deliver,
    work,
    queue,
    push,
    finish: () => finish(pick),
    'deliver twice': () => deliver({ twice: true }),
    'push back': () =>
      host.pushRef(from, 'refs/heads/greet', { sha: heads[pick() % heads.length] ?? '' }),
    retarget: () =>
      isOpen() && host.editPull(pull, { base: pull.base.ref === 'main' ? 'easy' : 'main' }),
    'slow merges': () => host.delayMerges(pick() % 4),
    conflict: () =>
      host.commit(repository, { branch: pull.base.ref, files: { greeting: `no ${pick()}\n` } }),
    close: () => isOpen() && host.closePull(pull),
    reopen: () => isOpen() || host.reopenPull(pull),
    unsettled: () => host.setPullQuirks({ unsettledState: 'clean' }),
    'no merge commit': () => host.setPullQuirks({ withoutMergeCommit: true }),
    'leave queue': leaveQueue,
    answer,
    '401': () => deny(401),
    '403': () => deny(403),
    '404': () => deny(404),
    '500': () => fail(500),
    'new tokens': () => repairs.push(host.refuseNewTokens(pick() % 2 ? 401 : 403)),
  }

  function answer(): void {
    for (const repair of repairs) repair()
    repairs = []
    denies = false
  }

  function posted(): { sha: string; status: CommitStatus }[] {
    const shas = new Set([...heads, ...queued, ...left])
    return [...shas].flatMap((sha) =>
      host
        .statuses(repository, sha)
        .toReversed()
        .map(({ state, description, target_url, context }) => {
          const status = { state, description, target_url, context } as CommitStatus
          return { sha, status }
        }),
    )
  }

  return {
    take: async (step: Step): Promise<void> => void (await acts[step]()),

    /** All events on their way arrive, and the code host responds again. */
    async settle(): Promise<void> {
      answer()
      host.delayMerges(0)
      host.setPullQuirks({})
      while (host.heldWebhooks().length > 0) await deliver()
      // How long the service waits for a head that the code host does not show depends on the time
      // since its event.
      await db
        .updateTable('requests')
        .set({ created_at: secondsAgo(120) })
        .where('repository_id', '=', await idOfRepository())
        .execute()
      for (let round = 0; round < 8; round += 1) await work()
      await release()
    },

    problems: async () => [
      ...(await undecided(await idOfRepository())),
      ...(await problemsOf(db, await idOfRepository(), {
        pulls: [
          {
            ...{ number: pull.number, head: pull.head.sha, base: pull.base.ref },
            ...{ isOpen: isOpen(), isFork: fork },
          },
        ],
        approved: new Set(),
        certain: new Set(),
        isLost: (_ref, sha) => left.includes(sha),
        doubts: () => 0,
        isMisled: () => isMisled,
        hasDenied: true,
        isFileDeleted: false,
        flavorOf: () => 'plain',
        parentsOf: async (sha) => (await parents(sha)) ?? [],
        posted: posted(),
        queued,
        left,
      })),
    ],
  }

  async function undecided(repositoryId: number): Promise<string[]> {
    const requests = await db
      .selectFrom('requests')
      .select(['id', 'message'])
      .where('repository_id', '=', repositoryId)
      .where('result', 'is', null)
      .execute()
    return requests.map(({ id, message }) => `request ${id} is not decided: ${message}`)
  }

  async function parents(sha: string): Promise<readonly string[] | undefined> {
    return (await ctx.codehosts.codehost?.commit(host.refTo(repository), sha))?.parents
  }
}
