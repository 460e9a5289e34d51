import type { MergeGroupEvent, PullRequestEvent, PushEvent, RefEvent } from '../domain/event.ts'
import { type Repository, slugOf } from '../domain/repository.ts'
import { holdLock } from '../store/locks.ts'
import { findRequestOfDelivery } from '../store/requests.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { receiveMergeGroup } from './event/receive-merge-group.ts'
import { receivePullRequest } from './event/receive-pull-request.ts'
import { receivePush } from './event/receive-push.ts'
import { receiveRef } from './event/receive-ref.ts'
import { type RefreshedRepository, refreshRepository } from './repository/refresh-repository.ts'
import { syncInstallation } from './sync-installation.ts'
import { transact, type Transaction } from './transact.ts'

/** An event about a commit; those about the repository, its people and its checks have own verbs. */
type EventInRepository = PushEvent | PullRequestEvent | MergeGroupEvent | RefEvent

/**
 * Turns an event of the code host into a request that waits to be decided on. Events of one
 * repository are received one after the other (WH-13); the same delivery may arrive twice.
 */
export async function receiveEvent(ctx: Context, event: EventInRepository): Promise<EventOutcome> {
  const received = await receiveOnce(ctx, event)
  // The event that announces the repository may be lost, or arrive later.
  const again = 'unknown' in received && (await lookUpRepositories(ctx, event))
  return again ? receiveOnce(ctx, event) : received
}

/** Whether repositories were looked up, so that there may be more now. */
async function lookUpRepositories(
  ctx: Context,
  { installation_codehost_id: number }: EventInRepository,
): Promise<boolean> {
  if (number === null) return false
  return syncInstallation(ctx, number)
}

function receiveOnce(ctx: Context, event: EventInRepository): Promise<EventOutcome> {
  return transact(ctx, async (tx): Promise<EventOutcome> => {
    const { provider, codehost_id } = event.repository
    await holdLock(tx.db, `receive:${provider}:${codehost_id}`)
    const earlier = event.delivery_id && (await findRequestOfDelivery(tx.db, event.delivery_id))
    if (earlier) return { request: earlier }
    const repository = await refreshRepository(tx.db, event)
    if (!repository) return { unknown: `unknown repository ${event.repository.name}` }
    const ignored = ignoreReason(repository)
    if (ignored !== undefined) return { ignored }

    const received = await receiveIn(tx, repository, event)
    if ('request' in received) tx.follow('request.accept', { request_id: received.request.id })
    return received
  })
}

/** Why events in this repository are ignored; undefined if they are not. */
function ignoreReason(repository: RefreshedRepository): string | undefined {
  if (repository.archived_at !== null) return `${slugOf(repository)} is archived`
  if (!repository.suspended) return undefined
  return `the app is suspended for ${repository.owner_name}: unsuspend it there`
}

async function receiveIn(
  tx: Transaction,
  repository: Repository,
  event: EventInRepository,
): Promise<EventOutcome> {
  if (event.type === 'push') return receivePush(tx, repository, event)
  if (event.type === 'pull_request') return receivePullRequest(tx, repository, event)
  if (event.type === 'merge_group') return receiveMergeGroup(tx, repository, event)
  return receiveRef(tx, repository, event)
}
