import { CodehostError, type Past, type PastWebhook } from '../../codehost/codehost.ts'
import { isHandled } from '../../domain/event.ts'
import {
  arrivedGuids,
  installedSince,
  sentSeenUntil,
  setSentSeenUntil,
} from '../../store/catch-up.ts'
import type { CatchUpContext } from './context.ts'

const hour = 60 * 60 * 1000

/** What was requested is looked at again for so long: it may fail to arrive once more. */
const overlap = hour
/** How far the first comparison goes back: what is older, nobody waits for. */
const firstReach = 24 * hour
/** How often a webhook is sent at most, the first time included. */
const mostAttempts = 3

/** Requests each webhook again that was sent and has not arrived; returns these, oldest first. */
export async function requestMissed(ctx: CatchUpContext, past: Past): Promise<PastWebhook[]> {
  const { db } = ctx
  const since = await comparedSince(ctx)
  if (!since) return []
  const sent = await past.sent(since)
  const requested: PastWebhook[] = []
  for (const webhook of await missedAmong(db, sent)) {
    if (await isSentAgain(ctx, past, webhook)) requested.push(webhook)
  }
  // Only now: what fails on the way is done again.
  const [newest] = sent
  if (newest) await setSentSeenUntil(db, newest.delivered_at)
  return requested
}

/** Undefined as long as no installation is known, so that what was before is nobody's here. */
async function comparedSince({ db, now }: CatchUpContext): Promise<Date | undefined> {
  const seen = await sentSeenUntil(db)
  if (seen) return new Date(seen.getTime() - overlap)
  const installed = await installedSince(db)
  return installed && new Date(Math.max(installed.getTime(), now().getTime() - firstReach))
}

/** One that the code host refuses to send stops no others. It is asked again while it is looked at. */
async function isSentAgain({ log }: CatchUpContext, past: Past, webhook: PastWebhook) {
  try {
    await past.sendAgain(webhook)
    return true
  } catch (error) {
    if (!(error instanceof CodehostError) || error.temporary) throw error
    log.warn({ err: error, guid: webhook.guid }, 'a webhook is not sent again')
    return false
  }
}

/** Of each webhook one attempt, in the order in which they were sent first. */
async function missedAmong(
  db: CatchUpContext['db'],
  sent: readonly PastWebhook[],
): Promise<PastWebhook[]> {
  const attempts = new Map<string, PastWebhook[]>()
  for (const webhook of sent.toReversed()) {
    if (!isHandled(webhook.event, webhook.action)) continue
    attempts.set(webhook.guid, [...(attempts.get(webhook.guid) ?? []), webhook])
  }
  const arrived = await arrivedGuids(db, [...attempts.keys()])
  return [...attempts.values()].flatMap((all) => {
    const [first] = all
    return first && !arrived.has(first.guid) && all.length < mostAttempts ? first : []
  })
}
