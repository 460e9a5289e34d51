import type { BuildState } from '../build.ts'
import type { UnmetJob } from '../job/machine.ts'
import { queuedPullNumber } from './merge-queue.ts'
import type { Request } from './request.ts'

/** A request about a commit, with all data that decide its status. */
export interface RequestAbout extends Pick<
  Request,
  | 'id'
  | 'event_type'
  | 'ref'
  | 'base_ref'
  | 'from_fork'
  | 'result'
  | 'reason'
  | 'message'
  | 'checks'
> {
  ref: string
  /** Whether the code host has not created its merge commit yet. */
  awaits_merge: boolean
  /** Whether its branch, tag or merge group still holds the commit. */
  is_held: boolean
  /** The request's pull request or merge group; null for all other requests. */
  pull: PullAbout | null
  build: BuildAbout | null
}

export interface PullAbout {
  number: number
  base_ref: string
  /** Whether it is open, with the commit as its head. */
  is_current: boolean
  /** Whether a maintainer has approved this head for this base; false for a head that runs without that. */
  is_approved: boolean
}

export interface BuildAbout {
  id: number
  state: BuildState
  /** Whether the build has run, also before a restart, or has ended without being canceled. */
  has_started: boolean
  waits_for_approval: boolean
  /** Whether its build file cannot be used. */
  is_unusable: boolean
  /** The number of its jobs. */
  jobs: number
  /** The jobs whose machine no runner had. */
  unmet: readonly UnmetJob[]
}

/** The build that shows a request's outcome; null if the request was decided again, and rejected. */
export function shownBuild({ result, build }: RequestAbout): BuildAbout | null {
  return result === 'rejected' ? null : build
}

/** The subject of a request, for use in texts. */
export function subjectOf({ ref, pull, base_ref }: RequestAbout): string {
  if (queuedPullNumber(ref) !== null) return `merge queue of ${base_ref}`
  if (pull) return `#${pull.number} into ${base_ref}`
  const [, kind, name] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? []
  return kind === 'tags' ? `tag ${name}` : `branch ${name}`
}
