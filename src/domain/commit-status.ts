import type { BuildState } from './build.ts'
import { grouped } from './grouped.ts'
import { isLeftToMaintainers, reasonsOfFile } from './request/approval.ts'
import { hasFaultyCondition, unusableText } from './request/decision.ts'
import { queuedPullNumber } from './request/merge-queue.ts'
import type { RejectionReason, Request } from './request/request.ts'
import {
  type CommitStatus,
  meaningOf,
  noBuild,
  type StatusKind,
  statusKinds,
  statusKindsOf,
  superseded,
  undecided,
  waitsForApproval,
  waitsForMerge,
} from './status.ts'

/** A request about a commit, with all that decides what it says about the commit. */
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
  /** Its pull request or merge group; null for all other requests. */
  pull: PullAbout | null
  build: BuildAbout | null
}

export interface PullAbout {
  number: number
  base_ref: string
  /** Whether it is open, with the commit as its head. */
  is_current: boolean
  /** Whether a maintainer has approved this head for this base. */
  is_approved: boolean
}

export interface BuildAbout {
  id: number
  state: BuildState
  has_started: boolean
  waits_for_approval: boolean
  /** Whether its build file cannot be used. */
  is_unusable: boolean
}

export interface Said {
  state: CommitStatus['state']
  text: string
  request: RequestAbout
  /** `late`: posted only in place of another status. `over`: counts only where nothing else does. */
  only?: 'late' | 'over'
}

export interface ShownStatus extends Said {
  /** What it is about, where several requests count: `#2 into main`. */
  about?: string
}

/**
 * What a commit shows in each context, derived from all requests about it, oldest first. `showsSkipped`:
 * whether a success is shown for what was left out on purpose.
 */
export function statusesOf(
  requests: readonly RequestAbout[],
  showsSkipped: boolean,
): Partial<Record<StatusKind, ShownStatus>> {
  const entries = statusKinds.flatMap((kind) => {
    const shown = worstOf(countedIn(requests, kind, showsSkipped))
    return shown ? [[kind, shown] as const] : []
  })
  return Object.fromEntries(entries)
}

/** The requests that count in a context, with what each says. */
export function countedIn(
  requests: readonly RequestAbout[],
  kind: StatusKind,
  showsSkipped: boolean,
): Said[] {
  const own = requests.filter((request) => statusKindsOf(request).includes(kind))
  return kind === 'pr' ? saidByPulls(own, showsSkipped) : saidByRefs(own, kind, showsSkipped)
}

/** Of each ref the newest request; a ref that lost the commit only while no other one was built. */
function saidByRefs(
  requests: readonly RequestAbout[],
  kind: StatusKind,
  showsSkipped: boolean,
): Said[] {
  const onlyBuilt = kind === 'cron' || kind === 'api'
  const counted = onlyBuilt ? requests.filter(({ build }) => build !== null) : requests
  const said = byRef(counted).flatMap((ofRef) => newest(ofRef, kind, showsSkipped))
  const held = said.filter(({ request }) => request.is_held)
  return held.some(({ request }) => request.build !== null) ? held : said
}

/** The first group of pull requests that has anything to say, so that none takes another's result. */
function saidByPulls(requests: readonly RequestAbout[], showsSkipped: boolean): Said[] {
  const current = byRef(requests.filter(({ pull }) => pull?.is_current))
  const trusted = current.filter((ofPull) => ofPull.every(isTrusted))
  const own = trusted.flatMap((ofPull) => saidByPull(ofPull, showsSkipped))
  if (own.length > 0) return own
  const oldest = current
    .filter((ofPull) => !trusted.includes(ofPull))
    .toSorted(([a], [b]) => numberOf(a) - numberOf(b))
    .map((ofPull) => saidByPull(ofPull, showsSkipped))
    .find((said) => said.length > 0)
  if (oldest) return oldest
  return newest(
    requests.filter(({ pull }) => pull?.is_current === false),
    'pr',
    showsSkipped,
  )
}

const isTrusted = ({ from_fork, pull }: RequestAbout) => !from_fork || pull?.is_approved === true
const numberOf = (request: RequestAbout | undefined) => request?.pull?.number ?? 0

/** The newest request about both head and base: merged into another base, the head is another commit. */
function saidByPull(requests: readonly RequestAbout[], showsSkipped: boolean): Said[] {
  const ofBase = requests.filter(({ base_ref, pull }) => base_ref === pull?.base_ref)
  if (ofBase.length > 0) return newest(ofBase, 'pr', showsSkipped)
  return newest(requests, 'pr', showsSkipped).map((said) => ({
    ...said,
    state: 'error',
    text: `not tested against ${said.request.pull?.base_ref}`,
  }))
}

/** What the newest of these requests says, of those that are not left out; one that is over if all are. */
function newest(
  requests: readonly RequestAbout[],
  kind: StatusKind,
  showsSkipped: boolean,
): Said[] {
  const said = requests.flatMap((request) => says(request, kind, showsSkipped) ?? [])
  const found = said.findLast(({ only }) => only !== 'over') ?? said.at(-1)
  return found ? [found] : []
}

const severity = ['success', 'pending', 'error']
const severityOf = ({ state }: Said) => severity.indexOf(state === 'failure' ? 'error' : state)

/** The worst status, of equals that of the newest request. What is over counts where all are. */
function worstOf(said: readonly Said[]): ShownStatus | undefined {
  const left = said.filter(({ only }) => only !== 'over')
  const counted = left.length > 0 ? left : said
  const [shown] = counted.toSorted(
    (a, b) => severityOf(b) - severityOf(a) || b.request.id - a.request.id,
  )
  if (!shown || counted.length === 1) return shown
  return { ...shown, about: subjectOf(shown.request) }
}

/** What a request is about, as texts name it. */
export function subjectOf({ ref, pull, base_ref }: RequestAbout): string {
  if (queuedPullNumber(ref) !== null) return `merge queue of ${base_ref}`
  if (pull) return `#${pull.number} into ${base_ref}`
  const [, kind, name] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? []
  return kind === 'tags' ? `tag ${name}` : `branch ${name}`
}

const byRef = (requests: readonly RequestAbout[]) => [
  ...grouped(requests, ({ ref }) => ref).values(),
]

/** What one request says; undefined where it is left out. */
export function says(
  request: RequestAbout,
  kind: StatusKind,
  showsSkipped: boolean,
): Said | undefined {
  const { result, build, pull } = request
  if (result === null) {
    if (request.awaits_merge) return { ...waitsForMerge, request }
    return { ...undecided, request, only: 'late' }
  }
  if (result === 'rejected') return saysOfRejected(request, kind, showsSkipped)
  if (!build) return
  const neverRan = !build.has_started && ['created', 'received', 'canceled'].includes(build.state)
  if (pull?.is_current === false && neverRan) return { ...superseded, request, only: 'over' }
  if (build.waits_for_approval && build.state === 'created') return { ...waitsForApproval, request }
  const unusable = build.is_unusable && build.state === 'errored' && unusableText(request.checks)
  if (unusable) return { state: 'error', text: unusable, request }
  return { ...meaningOf(build.state), request }
}

type Reasons = readonly (RejectionReason | null)[]

/** Requests that say nothing about their commit. */
const leftOut: Reasons = [
  'repository_inactive',
  'repository_archived',
  'owner_excluded',
  'no_commit',
  'commit_not_on_ref',
]

/** Reasons that the base repository gives, which no fork can bring about. */
const ofRepository: Reasons = ['pushes_disabled', 'pull_requests_disabled', 'pages_branch']

/** Reasons for which a merge group is left out though a push to its base may be built. */
const ofPullsOnly: Reasons = ['pull_requests_disabled', 'condition', 'no_jobs']

function saysOfRejected(
  request: RequestAbout,
  kind: StatusKind,
  showsSkipped: boolean,
): Said | undefined {
  const { reason, message, checks, pull, ref } = request
  if (leftOut.includes(reason)) return
  if (reason === 'no_build_file' && !hadBuildFile(request)) return
  const isOver = reason === 'head_moved' || reason === 'left_merge_queue'
  if (isOver || (pull?.is_current === false && reason === 'no_merge_commit')) {
    return { ...superseded, request, only: 'over' }
  }
  const text = `${noBuild}: ${message ?? ''}`
  const isOnPurpose =
    [...ofRepository, ...reasonsOfFile].includes(reason) && !hasFaultyCondition(checks)
  if (!isOnPurpose) return { state: 'error', text, request }
  if (kind === 'push' && queuedPullNumber(ref) !== null && ofPullsOnly.includes(reason)) {
    return { state: 'error', text: `${noBuild} for the merge queue: ${message ?? ''}`, request }
  }
  // Shown, since a required context must not stay pending forever (NT-08).
  if (!showsSkipped) return
  if (isLeftToMaintainers(request) && pull?.is_current && !pull.is_approved) {
    return { state: 'pending', text: `${waitsForApproval.text}: ${message ?? ''}`, request }
  }
  return { state: 'success', text, request }
}

/** Whether the base of a pull request, or the commit before a push, had a build file. */
function hadBuildFile({ checks }: RequestAbout): boolean {
  return checks.some(({ rule, values }) => rule === 'build_file' && values['lost'] === true)
}
