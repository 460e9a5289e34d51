import type { Past, PastWebhook } from '../../codehost/codehost.ts'
import { isHandled } from '../../domain/event.ts'
import { arrivedGuids, sentSeenUntil, setSentSeenUntil } from '../../store/catch-up.ts'
import type { CatchUpContext } from './context.ts'

const hour = 60 * 60 * 1000

/** What was requested is looked at again for so long: it may fail to arrive once more. */
const overlap = hour
/** How far the first comparison goes back: what is older, nobody waits for. */
const firstReach = 24 * hour
/** How often a webhook is sent at most, the first time included. */
const mostAttempts = 3

/** Requests each webhook again that was sent and has not arrived; returns these, oldest first. */
export async function requestMissed(
  { db, now }: CatchUpContext,
  past: Past,
): Promise<PastWebhook[]> {
  const seen = await sentSeenUntil(db)
  const since = seen ? seen.getTime() - overlap : now().getTime() - firstReach
  const sent = await past.sent(new Date(since))
  const missed = await missedAmong(db, sent)
  for (const webhook of missed) await past.sendAgain(webhook)
  // Only now: what fails on the way is done again.
  const [newest] = sent
  if (newest) await setSentSeenUntil(db, newest.delivered_at)
  return missed
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
