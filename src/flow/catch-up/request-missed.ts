import { CodehostError, type Past, type PastWebhook } from '../../codehost/codehost.ts'
import {
  arrivedGuids,
  installedSince,
  sentSeenUntil,
  setSentSeenUntil,
} from '../../store/deliveries/catch-up.ts'
import type { CatchUpContext } from './context.ts'
import { dueAmong } from './due-again.ts'

const hour = 60 * 60 * 1000

/** Milliseconds by which the code host's list may lag. */
const overlap = hour
/** How far the first comparison goes back: no one waits for older webhooks. */
const firstReach = 24 * hour

export interface Requested {
  requested: PastWebhook[]
  problem?: string
}

/**
 * Requests webhooks again that were sent and have not arrived, oldest first. Requests that fail at the code
 * host are repeated the next time.
 */
export async function requestMissed(ctx: CatchUpContext, past: Past): Promise<Requested> {
  try {
    return await requestSince(ctx, past)
  } catch (error) {
    if (!(error instanceof CodehostError)) throw error
    ctx.log.warn({ err: error }, 'the webhooks sent by the code host could not be compared')
    return { requested: [], problem: error.message }
  }
}

async function requestSince(ctx: CatchUpContext, past: Past): Promise<Requested> {
  const { db, now } = ctx
  const since = await comparedSince(ctx)
  if (!since) return { requested: [] }
  const sent = await past.sent(since)
  const arrived = await arrivedGuids(db, [...new Set(sent.map(({ guid }) => guid))])
  const { due, waiting } = dueAmong(sent, arrived, now())
  const requested: PastWebhook[] = []
  let problem: CodehostError | undefined
  for (const webhook of due) {
    const failure = await sendAgain(ctx, past, webhook)
    if (failure) problem = failure
    else requested.push(webhook)
    // With the rate limit reached, no other webhook would be sent either.
    if (failure?.kind === 'limited') break
  }
  // The next comparison begins at the oldest webhook that can still arrive.
  const [newest] = sent
  const until = waiting[0] ?? newest
  if (until) await setSentSeenUntil(db, until.delivered_at)
  return { requested, ...(problem ? { problem: problem.message } : {}) }
}

/** The time to compare from; undefined without a known installation, to which webhooks could belong. */
async function comparedSince({ db, now }: CatchUpContext): Promise<Date | undefined> {
  const seen = await sentSeenUntil(db)
  if (seen) return new Date(seen.getTime() - overlap)
  const installed = await installedSince(db)
  return installed && new Date(Math.max(installed.getTime(), now().getTime() - firstReach))
}

/** Requests a webhook again. Returns an error of the code host, so that the others can follow. */
async function sendAgain(
  { log }: CatchUpContext,
  past: Past,
  webhook: PastWebhook,
): Promise<CodehostError | undefined> {
  try {
    await past.sendAgain(webhook)
    return undefined
  } catch (error) {
    if (!(error instanceof CodehostError)) throw error
    log.warn({ err: error, guid: webhook.guid }, 'a webhook is not sent again')
    return error
  }
}
