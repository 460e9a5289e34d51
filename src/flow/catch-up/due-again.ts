import type { PastWebhook } from '../../codehost/codehost.ts'
import { isHandled } from '../../domain/event.ts'

const minute = 60 * 1000

/** Attempts to send a webhook that fail while others arrive, after which the webhook itself is at fault. */
const mostAttempts = 3
/** Milliseconds from an arrived webhook within which the service counts as reachable. */
const near = 10 * minute
/** Pauses between attempts while nothing arrives; the last one repeats until the code host forgets. */
const pauses = [0, 15, 30, 60, 120, 240, 480].map((minutes) => minutes * minute)

export interface Missed {
  /** One attempt of each webhook to be sent again now, in the order of their first attempts. */
  due: PastWebhook[]
  /** The first known attempts of all webhooks that can still arrive, in the same order. */
  waiting: PastWebhook[]
}

/** The webhooks among `sent`, which is newest first, that have not arrived. */
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

/** Whether a webhook is due: after a growing pause, or once another was received since its last attempt. */
function isDue(times: readonly number[], reached: readonly number[], now: number): boolean {
  const last = Math.max(...times)
  const pause = pauses[times.length - 1] ?? pauses.at(-1) ?? 0
  return now - last >= pause || reached.some((time) => time > last)
}

/** The attempts by webhook, in the order in which they were sent. */
function attemptsOf(sent: readonly PastWebhook[]): Map<string, PastWebhook[]> {
  const attempts = new Map<string, PastWebhook[]>()
  for (const webhook of sent.toReversed()) {
    if (!isHandled(webhook.event, webhook.action)) continue
    attempts.set(webhook.guid, [...(attempts.get(webhook.guid) ?? []), webhook])
  }
  return attempts
}
