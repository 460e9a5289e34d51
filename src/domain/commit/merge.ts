/** State of a pull request's merge commit, for the head that a request names. */
export type Merge =
  | 'made'
  /** The code host has not made it yet. */
  | 'awaited'
  | 'conflict'
  | 'closed'
  /** The code host no longer has this pull request or head commit. */
  | 'missing'

/** A pull request whose head is no longer the head that a request names (D35). */
export interface MovedHead {
  /** The head that the code host has. */
  to: string
  /** The request about that head, if there is one. */
  request_id: number | null
}

/** Why no merge commit can be built, and how to change that. */
const mergeTexts: Readonly<Record<Exclude<Merge, 'made' | 'awaited' | 'conflict'>, string>> = {
  closed: 'no merge commit: the pull request is closed; if it is not merged, reopen it to build it',
  missing:
    'no merge commit: the code host no longer has this pull request or head commit; push ' +
    'to the pull request to build it',
}

/** Why there is no merge commit; empty if made or awaited. `base` is null if the pull request is gone. */
export function mergeText(merge: Merge, base: string | null): string {
  if (merge === 'made' || merge === 'awaited') return ''
  if (merge !== 'conflict') return mergeTexts[merge]
  return `conflicts with ${base ?? 'its base branch'}: resolve the conflicts and push`
}

/** Message of a request while its merge commit is awaited. */
export const awaitsMerge =
  'waiting: the code host has not made the merge commit of this pull request yet; ' +
  'the service retries with growing pauses'

/** Message of a request while the code host lags behind the events that it sent. */
export const awaitsHead =
  'waiting: the code host does not show this head of the pull request yet; the service retries'

const delays = [1, 2, 4, 8, 16, 30, 60, 120, 300]
const longestDelay = 600

/** Seconds until the next lookup of the merge commit; the pauses grow, and lookups never stop (WH-33). */
export function mergeDelay(waits: number): number {
  return delays[waits] ?? longestDelay
}

/** Number of lookups before a status reports the wait; most merge commits are made earlier. */
export const waitsBeforeStatus = 3
