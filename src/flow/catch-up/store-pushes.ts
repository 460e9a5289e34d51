import { CodehostError, type Past, type RepositoryRef } from '../../codehost/codehost.ts'
import { readRef } from '../../domain/event.ts'
import { slugOf } from '../../domain/repository.ts'
import { acceptDeliveries } from '../deliveries/deliveries.ts'
import { createDeliveryEnqueuer } from '../deliveries/delivery-enqueuer.ts'
import type { CatchUpContext } from './context.ts'
import type { DueRepository } from './due-repositories.ts'
import { type Push, webhookOf } from './webhook-of.ts'

export interface FoundPush {
  repository: string
  ref: string
  sha: string
}

/** Stores a webhook for each push that had none. Returns the pushes that were not already stored. */
export async function storePushes(
  ctx: CatchUpContext,
  past: Past,
  { installation, repository, ref, pushed }: DueRepository,
  pushes: readonly (Push & { commit: string })[],
): Promise<FoundPush[]> {
  const stored: FoundPush[] = []
  for (const push of pushes) {
    const commit = await ctx.codehosts.codehost?.commit(ref, push.commit)
    // The ref was deleted, or pushed again.
    if (!commit) continue
    const pusher = await knownPusher(past, ref, push)
    const webhook = await webhookOf(ctx, { installation, ...pushed }, { ...push, commit, pusher })
    const [isNew] = await acceptDeliveries(
      { db: ctx.db, enqueueDeliveries: createDeliveryEnqueuer(ctx) },
      [webhook],
    )
    if (isNew === true) {
      stored.push({ repository: slugOf(repository), ref: push.ref, sha: push.after })
    }
  }
  return stored
}

/** The pusher of a branch; undefined if unknown or permanently refused to the app, and for tags. */
async function knownPusher(past: Past, at: RepositoryRef, { ref, after }: Push) {
  if (readRef(ref).kind === 'tag') return undefined
  try {
    return await past.pusher(at, { ref, sha: after })
  } catch (error) {
    if (error instanceof CodehostError && !error.temporary) return undefined
    throw error
  }
}
