import { archivedText } from '../../domain/archived.ts'
import type { Repository } from '../../domain/repository.ts'
import { findKnownRepository } from '../../store/repositories/repositories.ts'
import { findRequestOfDelivery } from '../../store/requests/requests.ts'
import { sideBySide } from '../../store/sql/transaction.ts'
import type { Context } from '../context.ts'
import { type Asked, askAbout } from '../repositories/ask-about.ts'
import {
  doubtful,
  type RefreshedRepository,
  refreshRepository,
} from '../repositories/refresh-repository.ts'
import { syncInstallation } from '../repositories/sync-installation.ts'
import { transact, type Transaction } from '../transact.ts'
import { askBase, askPull, type AskedTip, askTip, type EventInRepository } from './ask-codehost.ts'
import type { EventOutcome } from './event-outcome.ts'
import { holdEvents, holdEventsLoosely } from './hold-events.ts'
import { receiveMergeGroup } from './receive-merge-group.ts'
import {
  type AskedPull,
  baseInDoubt,
  pullInDoubt,
  receivePullRequest,
} from './receive-pull-request.ts'
import { receivePush } from './receive-push.ts'
import { receiveRef, tipInDoubt } from './receive-ref.ts'

/** The stored fact that may be out of date. */
type Doubt = 'unknown' | 'described' | 'suspended' | 'released' | 'pull' | 'base' | 'tip'

/** Facts fetched from the code host while an event is received. */
interface Settled {
  asked?: Asked
  pull?: AskedPull
  /** The tip of a branch or tag. */
  tip?: AskedTip
  isLookedUp?: true
}

/**
 * Turns an event of the code host into a request that waits to be decided on. Events of one
 * repository are received one after the other (WH-13); the same delivery may arrive twice. Facts on which the
 * event and this service disagree are fetched from the code host first, once each.
 */
export async function receiveEvent(ctx: Context, event: EventInRepository): Promise<EventOutcome> {
  const settled: Settled = {}
  for (;;) {
    const received = await receiveOnce(ctx, event, settled)
    if (!('doubt' in received)) return received
    if (!(await settle(ctx, event, received.doubt, settled))) return received.outcome
  }
}

/** Queries the code host about a doubt; true if the event is to be received again. */
async function settle(
  ctx: Context,
  event: EventInRepository,
  doubt: Doubt,
  settled: Settled,
): Promise<boolean> {
  if (doubt === 'described') {
    settled.asked = await askAbout(ctx, event)
    return true
  }
  if (doubt === 'pull') {
    settled.pull = { ...settled.pull, current: await askPull(ctx, event) }
    return true
  }
  if (doubt === 'base') {
    settled.pull = { ...settled.pull, isBaseGone: await askBase(ctx, event) }
    return true
  }
  if (doubt === 'tip') {
    settled.tip = await askTip(ctx, event)
    return true
  }
  settled.isLookedUp = true
  const { installation_codehost_id: number } = event
  // The event that announces a repository, or that the app works again, may be lost, or arrive later.
  return (number !== null && (await syncInstallation(ctx, number))) || doubt === 'released'
}

interface Doubtful {
  doubt: Doubt
  /** The outcome of the event if the doubt cannot be settled. */
  outcome: EventOutcome
}

function receiveOnce(
  ctx: Context,
  event: EventInRepository,
  settled: Settled,
): Promise<EventOutcome | Doubtful> {
  return transact(ctx, async (tx): Promise<EventOutcome | Doubtful> => {
    const { asked, isLookedUp } = settled
    const { delivery_id } = event
    const [, earlier, known] = await sideBySide([
      (delivery_id === null ? holdEvents : holdEventsLoosely)(tx, event.repository),
      delivery_id === null ? undefined : findRequestOfDelivery(tx.db, delivery_id),
      findKnownRepository(tx.db, event.repository),
    ])
    if (earlier) return { request: earlier }
    const unknown = { unknown: `unknown repository ${event.repository.name}` }
    const repository = await refreshRepository(tx.db, known, event, asked)
    if (repository === doubtful) return { doubt: 'described', outcome: unknown }
    if (!repository) return isLookedUp ? unknown : { doubt: 'unknown', outcome: unknown }
    const ignored = ignoreReason(ctx, repository)
    if (ignored !== undefined) {
      const isInDoubt = repository.suspended && !isLookedUp
      return isInDoubt ? { doubt: 'suspended', outcome: { ignored } } : { ignored }
    }

    if (isReleased(repository, event) && !isLookedUp) return { doubt: 'released', outcome: unknown }

    const received = await receiveIn(tx, repository, event, settled)
    if (received === pullInDoubt) return { doubt: 'pull', outcome: unknown }
    if (received === baseInDoubt) return { doubt: 'base', outcome: unknown }
    if (received === tipInDoubt) return { doubt: 'tip', outcome: unknown }
    if ('request' in received) tx.follow('request.accept', { request_id: received.request.id })
    return received
  })
}

/** Why events in this repository are ignored; undefined if they are not. */
function ignoreReason(
  { config }: Pick<Context, 'config'>,
  repository: RefreshedRepository,
): string | undefined {
  if (repository.archived_at !== null) return archivedText(repository, config)
  if (!repository.suspended) return undefined
  return `the app is suspended for ${repository.owner_name}: unsuspend it there`
}

/** Whether an app's event is about a repository that no installation manages: it may just have been added. */
function isReleased(
  { managed_by_installation, active }: Repository,
  { installation_codehost_id }: EventInRepository,
): boolean {
  return !managed_by_installation && !active && installation_codehost_id !== null
}

async function receiveIn(
  tx: Transaction,
  repository: Repository,
  event: EventInRepository,
  { pull, tip }: Settled,
): Promise<EventOutcome | typeof pullInDoubt | typeof baseInDoubt | typeof tipInDoubt> {
  if (event.type === 'push') return receivePush(tx, repository, event, tip)
  if (event.type === 'pull_request') return receivePullRequest(tx, repository, event, pull)
  if (event.type === 'merge_group') return receiveMergeGroup(tx, repository, event)
  return receiveRef(tx, repository, event, tip)
}
