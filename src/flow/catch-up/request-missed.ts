import { CodehostError, type Past, type PastWebhook } from '../../codehost/codehost.ts'
import {
  arrivedGuids,
  installedSince,
  sentSeenUntil,
  setSentSeenUntil,
} from '../../store/catch-up.ts'
import type { CatchUpContext } from './context.ts'
import { dueAmong } from './due-again.ts'

const hour = 60 * 60 * 1000

/** The code host's list may be late by so much. */
const overlap = hour
/** How far the first comparison goes back: what is older, nobody waits for. */
const firstReach = 24 * hour

export interface Requested {
  requested: PastWebhook[]
  problem?: string
}

/**
 * Requests webhooks again that were sent and have not arrived, oldest first. What fails at the code host is
 * done again the next time.
 */
export async function requestMissed(ctx: CatchUpContext, past: Past): Promise<Requested> {
  try {
    return await requestSince(ctx, past)
  } catch (error) {
    if (!(error instanceof CodehostError)) throw error
    ctx.log.warn({ err: error }, 'what the code host has sent could not be compared')
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
    // Nor is any other one sent.
    if (failure?.kind === 'limited') break
  }
  // What has not arrived is looked at until it has.
  const [newest] = sent
  const until = waiting[0] ?? newest
  if (until) await setSentSeenUntil(db, until.delivered_at)
  return { requested, ...(problem ? { problem: problem.message } : {}) }
}

/** Undefined as long as no installation is known, so that what was before is nobody's here. */
async function comparedSince({ db, now }: CatchUpContext): Promise<Date | undefined> {
  const seen = await sentSeenUntil(db)
  if (seen) return new Date(seen.getTime() - overlap)
  const installed = await installedSince(db)
  return installed && new Date(Math.max(installed.getTime(), now().getTime() - firstReach))
}

/** One that the code host does not send stops no others: why is returned. */
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
