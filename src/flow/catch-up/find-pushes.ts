import {
  CodehostError,
  type Past,
  type PushedRepository,
  type RepositoryRef,
} from '../../codehost/codehost.ts'
import { refOf } from '../../domain/event.ts'
import { isQueueBranch } from '../../domain/request/merge-queue.ts'
import { slugOf } from '../../domain/repository.ts'
import { timeOf } from '../../store/age.ts'
import { markOthersGone } from '../../store/branches.ts'
import {
  isAwaited,
  putSeenHeads,
  type WatchedRepository,
  watchedRepositories,
} from '../../store/catch-up.ts'
import { newestPushes } from '../../store/pushes.ts'
import { acceptDeliveries } from '../accept-deliveries.ts'
import type { CatchUpContext } from './context.ts'
import { createDeliveryEnqueuer } from '../delivery-enqueuer.ts'
import { type Push, webhookOf } from './webhook-of.ts'

/**
 * The code host tells the second of a push. What is looked at so soon after one may be pushed to again
 * within that second; the clocks of both machines may differ.
 */
const unsettled = 5 * 60 * 1000

export interface FoundPush {
  repository: string
  ref: string
  sha: string
}

/**
 * Compares the branches of an installation's repositories with what was pushed as far as is known here,
 * where something was pushed since the last time, and stores a webhook for each that has moved on.
 * What there was when a repository is first looked at is left as it is. `awaited` are repositories
 * whose webhooks are on their way.
 */
export async function findPushes(
  ctx: CatchUpContext,
  past: Past,
  installation: number,
  awaited: ReadonlySet<number | null>,
): Promise<FoundPush[]> {
  const known = await watchedRepositories(ctx.db, installation)
  if (known.size === 0) return []
  const found: FoundPush[] = []
  for (const { facts, pushed_at } of await past.pushed(installation)) {
    const repository = known.get(facts.codehost_id)
    if (!repository || pushed_at === null || awaited.has(facts.codehost_id)) continue
    if (repository.pushed_at?.getTime() === pushed_at.getTime()) continue
    if (await isAwaited(ctx.db, repository)) continue
    const pushed = { facts, pushed_at }
    for (const push of await compareIfShown(ctx, past, { installation, repository, pushed })) {
      found.push({ repository: slugOf(repository), ref: push.ref, sha: push.after })
    }
  }
  return found
}

interface Compared {
  installation: number
  repository: WatchedRepository
  pushed: PushedRepository & { pushed_at: Date }
}

/** One that the code host does not show, since it is empty or was just deleted say, stops no others. */
async function compareIfShown(ctx: CatchUpContext, past: Past, compared: Compared) {
  try {
    return await compareHeads(ctx, past, compared)
  } catch (error) {
    if (!(error instanceof CodehostError) || error.temporary) throw error
    const repository = slugOf(compared.repository)
    ctx.log.warn({ err: error, repository }, 'branches could not be compared')
    return []
  }
}

async function compareHeads(
  ctx: CatchUpContext,
  past: Past,
  { installation, repository, pushed }: Compared,
): Promise<Push[]> {
  const ref = refTo(repository, installation)
  const at = await timeOf(ctx.db)
  const heads = await past.heads(ref)
  const stored: Push[] = []
  for (const push of await unknownPushes(ctx, repository, heads)) {
    const commit = await ctx.codehosts.codehost?.commit(ref, push.after)
    // Gone again, or pushed over.
    if (!commit) continue
    const pusher = await knownPusher(past, ref, push)
    const where = { installation, ...pushed }
    const webhook = await webhookOf(ctx, where, { ...push, commit, pusher })
    const [isNew] = await acceptDeliveries(
      { db: ctx.db, enqueueDeliveries: createDeliveryEnqueuer(ctx) },
      [webhook],
    )
    if (isNew === true) stored.push(push)
  }
  const isSettled = ctx.now().getTime() - pushed.pushed_at.getTime() > unsettled
  await markOthersGone(ctx.db, repository.id, Object.keys(heads), at)
  await putSeenHeads(ctx.db, repository.id, isSettled ? pushed.pushed_at : null, heads)
  return stored
}

/** Undefined as well where the app is refused an answer, which would stay so. */
async function knownPusher(past: Past, at: RepositoryRef, { ref, after }: Push) {
  try {
    return await past.pusher(at, { ref, sha: after })
  } catch (error) {
    if (error instanceof CodehostError && !error.temporary) return undefined
    throw error
  }
}

async function unknownPushes(
  { db }: CatchUpContext,
  { id, heads: seen }: WatchedRepository,
  heads: Readonly<Record<string, string>>,
): Promise<Push[]> {
  if (seen === null) return []
  const moved = Object.entries(heads).filter(
    ([name, sha]) => seen[name] !== sha && !isQueueBranch(name),
  )
  const newest = await newestPushes(
    db,
    id,
    moved.map(([name]) => refOf('branch', name)),
  )
  return moved.flatMap(([name, after]) => {
    const ref = refOf('branch', name)
    const before = newest.get(ref) ?? seen[name] ?? null
    return before === after ? [] : { ref, before, after }
  })
}

function refTo(repository: WatchedRepository, installation: number): RepositoryRef {
  const { codehost_id, private: isPrivate } = repository
  return { codehost_id, slug: slugOf(repository), private: isPrivate, installation }
}
