import type { PastWebhook } from '../../codehost/codehost.ts'
import { isHandled } from '../../domain/event.ts'

const minute = 60 * 1000

/** How often a webhook is sent at most while others arrive: it is its own fault then. */
const mostAttempts = 3
/** What was sent within so long of something that arrived was sent while this service could be reached. */
const near = 10 * minute
/** Pauses between attempts while nothing arrives; the last one is kept, as long as the code host remembers. */
const pauses = [0, 15, 30, 60, 120, 240, 480].map((minutes) => minutes * minute)

export interface Missed {
  /** One attempt of each webhook that is to be sent again now, in the order in which they were sent first. */
  due: PastWebhook[]
  /** The first attempts that are known of all that can still arrive, in that order. */
  waiting: PastWebhook[]
}

/** What was sent, newest first, and has not arrived. */
export function dueAmong(
  sent: readonly PastWebhook[],
  arrived: ReadonlySet<string>,
  now: Date,
): Missed {
  const reached = sent
    .filter(({ guid }) => arrived.has(guid))
    .map(({ delivered_at }) => delivered_at.getTime())
  const missed: Missed = { due: [], waiting: [] }
  for (const attempts of attemptsOf(sent).values()) {
    const [first] = attempts
    if (!first || arrived.has(first.guid)) continue
    const times = attempts.map(({ delivered_at }) => delivered_at.getTime())
    const inVain = times.filter((time) => reached.some((other) => Math.abs(other - time) < near))
    if (inVain.length >= mostAttempts) continue
    missed.waiting.push(first)
    if (isDue(times, reached, now.getTime())) missed.due.push(first)
  }
  return missed
}

/** After a pause that grows, and at once when something has arrived since it was sent last. */
function isDue(times: readonly number[], reached: readonly number[], now: number): boolean {
  const last = Math.max(...times)
  const pause = pauses[times.length - 1] ?? pauses.at(-1) ?? 0
  return now - last >= pause || reached.some((time) => time > last)
}

/** By webhook, in the order in which they were sent. */
function attemptsOf(sent: readonly PastWebhook[]): Map<string, PastWebhook[]> {
  const attempts = new Map<string, PastWebhook[]>()
  for (const webhook of sent.toReversed()) {
    if (!isHandled(webhook.event, webhook.action)) continue
    attempts.set(webhook.guid, [...(attempts.get(webhook.guid) ?? []), webhook])
  }
  return attempts
}
