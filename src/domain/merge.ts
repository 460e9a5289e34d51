/** What became of the merge commit of a pull request, for the head that a request names. */
export type Merge =
  | 'made'
  /** The code host has not made it yet. */
  | 'awaited'
  | 'conflict'
  | 'closed'
  /** The code host has no such pull request, or no such head commit, any more. */
  | 'missing'

/** A pull request that is at another head by now than the one that a request names (D35). */
export interface MovedHead {
  /** The head that the code host has. */
  to: string
  /** The request about that head, if there is one. */
  request_id: number | null
}

/** Why no merge commit can be built, and what would change that. */
export const mergeTexts: Readonly<Record<Exclude<Merge, 'made' | 'awaited'>, string>> = {
  conflict:
    'no merge commit: the pull request conflicts with its base branch; ' +
    'resolve the conflicts and push',
  closed:
    'no merge commit: the pull request is closed; if it is not merged, reopen it to have it built',
  missing:
    'no merge commit: the code host has no such pull request or head commit any more; ' +
    'push to the pull request to have it built',
}

/** What a request says while its merge commit is awaited. */
export const awaitsMerge =
  'waiting: the code host has not made the merge commit of this pull request yet; ' +
  'it is looked up again, after growing pauses'

/** What a request says while the code host is behind the events that it sent. */
export const awaitsHead =
  'waiting: the code host does not show this head of the pull request yet; it is looked up again'

const delays = [1, 2, 4, 8, 16, 30, 60, 120, 300]
const longestDelay = 600

/** Seconds until the merge commit is looked up again; the pauses grow, and never end (WH-33). */
export function mergeDelay(waits: number): number {
  return delays[waits] ?? longestDelay
}

/** After so many lookups a status says what is waited for; most merge commits are made before. */
export const waitsBeforeStatus = 3
