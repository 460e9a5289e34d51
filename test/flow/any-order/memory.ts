import { CodehostError } from '../../../src/codehost/codehost.ts'
import type { Actor } from '../../../src/domain/audit.ts'
import { ServiceError } from '../../../src/domain/errors.ts'
import { refOf } from '../../../src/domain/event.ts'
import { cancelBuild } from '../../../src/flow/builds/cancel-build.ts'
import { restartBuild } from '../../../src/flow/builds/restart-build.ts'
import { endMergeGroup } from '../../../src/flow/events/end-merge-group.ts'
import { receiveEvent } from '../../../src/flow/events/receive-event.ts'
import { approveRequest } from '../../../src/flow/requests/approve-request.ts'
import { createRequest } from '../../../src/flow/requests/create-request.ts'
import { insertRequest } from '../../../src/store/requests/requests.ts'
import { secondsAgo } from '../../../src/store/sql/age.ts'
import type { Database } from '../../../src/store/tables.ts'
import { testContext } from '../../support/context.ts'
import { factories } from '../../support/factories.ts'
import { memoryCodehost } from '../../support/memory-codehost.ts'
import { type Fault, faults, faulty } from './faults.ts'
import { problemsOf } from './problems.ts'
import { serviceOf, type Setting } from './service.ts'
import { newSha, storyWorld } from './world.ts'

/**
 * The possible steps: at the code host, on the way from there, in the service, and in its calls.
 */
export const steps = [
  ...['push', 'push', 'push', 'push back', 'push back', 'retarget', 'merge', 'close', 'reopen'],
  ...['draft', 'conflict', 'make merges', 'make merges', 'make merges', 'lag'],
  ...['push branch', 'push branch', 'tag', 'tag', 'delete branch', 'delete tag', 'delete topic'],
  ...['queue', 'queue', 'leave queue', 'merge group'],
  ...['cron', 'api', 'api', 'approve', 'approve', 'restart', 'cancel'],
  ...['deliver', 'deliver', 'deliver', 'deliver', 'deliver some', 'deliver some', 'deliver all'],
  ...['work', 'work', 'work', 'work', 'work', 'finish', 'finish', 'finish', 'finish'],
  ...['answer', 'answer', 'answer', ...(Object.keys(faults) as Fault[])],
] as const
export type Step = (typeof steps)[number]

const branches = ['refs/heads/one', 'refs/heads/two']
const tags = ['refs/tags/v1', 'refs/tags/v2']

/** A repository with pull requests, which are opened, but whose events have not arrived yet. */
export async function codehostInAnyOrder(db: Database, by: Actor, setting: Setting) {
  const { pick, isFileDeleted } = setting
  const codehost = memoryCodehost()
  const ctx = testContext(db, { codehost })
  const codehost_id = 1_000_000 + Number.parseInt(newSha(), 16)
  const repository = await factories(db).repository({ codehost_id })
  const world = storyWorld(codehost, repository, setting)
  const { underway, pickOf } = world
  const host = faulty(codehost, pick, world.remembered)
  const { work, finish } = serviceOf(ctx, async () => repository.id)
  /**
   * The approvals of maintainers, as `number head base`; `certain` while neither head nor base has
   * changed.
   */
  const approved = new Set<string>()
  const certain = new Set<string>()

  /**
   * The id of an event, or of an earlier one: a ref that is deleted before its first event stays
   * until `catch-up` looks for it.
   */
  function firstOf(at: number): number {
    const event = underway[at]
    if (event?.type !== 'push' && event?.type !== 'ref') return at
    const ref = event.type === 'push' ? event.ref : refOf(event.ref_type, event.name)
    const isEnd = event.type === 'push' ? event.deleted : !event.exists
    if (!isEnd) return at
    const made = underway.findIndex((each) => each.type === 'push' && each.ref === ref)
    return made === -1 || made > at ? at : made
  }

  /** False if there is no event, or if it waits for the code host, as in the queue. */
  async function deliver(from = pick() % Math.max(1, underway.length)): Promise<boolean> {
    const at = firstOf(from)
    const event = underway[at]
    if (!event) return false
    try {
      const isEnd = event.type === 'merge_group' && event.action === 'destroyed'
      const receive = () => (isEnd ? endMergeGroup(ctx, event) : receiveEvent(ctx, event))
      await host.whileReceiving<unknown>(receive)
      // Now and then an event arrives twice; events that are recognized by their ids only are
      // repeated in `fake.ts`.
      if (event.type === 'merge_group' || pick() % 8 > 0) underway.splice(at, 1)
      return true
    } catch (error) {
      if (!(error instanceof CodehostError) || !error.temporary) throw error
      return false
    }
  }

  /** In the order of the changes, in which nearly all events arrive. */
  async function deliverFirst(most: number): Promise<void> {
    for (let count = 0; count < most; count += 1) if (!(await deliver(0))) return
  }

  async function approve(): Promise<void> {
    const pull = pickOf(world.openPulls().filter(({ isFork }) => isFork))
    const request = await db
      .selectFrom('requests')
      .select(['id', 'base_ref'])
      .where('repository_id', '=', repository.id)
      .where('ref', '=', `refs/pull/${pull?.number}/merge`)
      .where('head_commit', '=', pull?.state.head.sha ?? '')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const found = request && (await tried(approveRequest(ctx, by, request.id)))
    if (!found) return
    const pair = `${pull?.number} ${found.head_commit} ${found.base_ref}`
    approved.add(pair)
    // An event on its way may report that the pull request had another head in the meantime.
    const isMoving = underway.some(
      (event) => event.type === 'pull_request' && event.number === pull?.number,
    )
    if (!isMoving) certain.add(pair)
  }

  /** Undefined if the service refuses it, as for a caller who is too late. */
  async function tried<T>(call: Promise<T>): Promise<T | undefined> {
    try {
      return await call
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
  }

  async function build(isFinished: boolean): Promise<number | undefined> {
    const builds = await db
      .selectFrom('builds')
      .select('id')
      .where('repository_id', '=', repository.id)
      .where('finished_at', isFinished ? 'is not' : 'is', null)
      .orderBy('id')
      .execute()
    return pickOf(builds)?.id
  }

  async function restart(): Promise<void> {
    const id = await build(true)
    if (id !== undefined) await tried(restartBuild(ctx, by, id))
  }

  async function cancel(): Promise<void> {
    const id = await build(false)
    if (id !== undefined) await cancelBuild(ctx, by, id)
  }

  async function cron(): Promise<void> {
    const { id, owner_id, owner_type } = repository
    const about = { repository_id: id, owner_id, owner_type, private: false }
    const ref = pickOf([...world.tips.keys()].filter((each) => each.startsWith('refs/heads/')))
    if (!ref) return
    await insertRequest(db, { ...about, event_type: 'cron', state: 'created', ref })
  }

  async function api(): Promise<void> {
    const ref = pickOf([...world.tips.keys()]) ?? ''
    const sha = pick() % 2 ? pickOf([...(world.held.get(ref) ?? [])]) : undefined
    const wanted = { ref, sha, message: undefined, configs: [], variables: undefined }
    await createRequest(ctx, by, repository, wanted)
  }

  /** If a cron or an API request names a ref, the code host finds its tip. */
  function showTips(): void {
    for (const [ref, sha] of world.tips) {
      const commit = codehost.commits.get(sha)
      if (commit) codehost.commits.set(ref, commit)
    }
    for (const ref of [...branches, ...tags]) if (!world.tips.has(ref)) codehost.commits.delete(ref)
  }

  const pairsNow = () =>
    world.pulls.map(({ number, state: { head, base } }) => `${number} ${head.sha} ${base.ref}`)

  function makeMerges(): void {
    for (const pull of world.pulls) if (pull.state.mergeable !== false) world.makeMerge(pull)
  }

  const acts: Partial<Record<Step, () => unknown>> = {
    ...{ work, approve, restart, cancel, cron, api },
    ...{ push: () => world.push(), 'push back': () => world.pushBack() },
    retarget: () => world.retarget(),
    merge: () => world.merge(),
    close: world.close,
    reopen: world.reopen,
    draft: () => world.setDraft(),
    conflict: () => world.conflict(),
    'make merges': makeMerges,
    lag: () => host.lagFor(pick() % 4),
    'push branch': () => world.pushBranch(pickOf(branches) ?? ''),
    tag: () => world.tag(pickOf(tags) ?? ''),
    'delete branch': () => world.deleteRef(pickOf(branches) ?? ''),
    'delete tag': () => world.deleteRef(pickOf(tags) ?? ''),
    'delete topic': () => world.deleteTopic(),
    queue: () => world.queue(),
    'leave queue': world.leaveQueue,
    'merge group': () => world.mergeGroup(),
    deliver: () => deliver(),
    'deliver some': () => deliverFirst(4),
    'deliver all': () => deliverFirst(underway.length),
    finish: () => finish(pick),
    answer: host.answer,
  }

  return {
    async take(step: Step): Promise<void> {
      if (step in faults) host.fail(step as Fault)
      await acts[step]?.()
      showTips()
      for (const pair of certain) if (!pairsNow().includes(pair)) certain.delete(pair)
    },

    /** All events on their way arrive, and the code host responds again. */
    async settle(): Promise<void> {
      host.answer()
      host.lagFor(0)
      makeMerges()
      while (underway.length > 0) await deliver()
      // How long the service waits for a head that the code host does not show depends on the time
      // since its event.
      await db
        .updateTable('requests')
        .set({ created_at: secondsAgo(120) })
        .where('repository_id', '=', repository.id)
        .execute()
      for (let round = 0; round < 8; round += 1) await work()
    },

    problems: () =>
      problemsOf(db, repository.id, {
        pulls: world.pulls.map(({ number, isFork, state }) => ({
          ...{ number, isFork, head: state.head.sha, base: state.base.ref },
          isOpen: state.state === 'open',
        })),
        approved,
        certain,
        isLost: world.isLost,
        doubts: host.doubts,
        isMisled: host.isMisled,
        hasDenied: host.hasDenied(),
        isFileDeleted,
        flavorOf: (sha) => world.flavorOf.get(sha),
        parentsOf: async (sha) => codehost.commits.get(sha)?.parents ?? [],
        posted: codehost.posted,
        queued: world.queued.map(({ sha }) => sha),
        left: world.left.map(({ sha }) => sha),
      }),
  }
}
