import { isUnapproved } from '../build.ts'
import { grouped } from '../grouped.ts'
import { unmetNotes } from '../job/machine.ts'
import { type RequestAbout, subjectOf } from '../request/about.ts'
import { isLeftToMaintainers, reasonsOfFile } from '../request/approval.ts'
import { hasFaultyCondition, unusableText } from '../request/decision.ts'
import { queuedPullNumber } from '../request/merge-queue.ts'
import type { RejectionReason } from '../request/request.ts'
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

export interface Said {
  state: CommitStatus['state']
  text: string
  request: RequestAbout
  /** `late`: posted only to replace another status. `over`: counts only if no other status does. */
  only?: 'late' | 'over'
}

export interface ShownStatus extends Said {
  /** The subject of the request, if several requests count: `#2 into main`. */
  about?: string
}

/**
 * The status of a commit in each context, derived from all requests about it, oldest first.
 * `showsSkipped`: whether a success is shown for requests that were left out on purpose.
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

/** The requests that count in a context, each with its status. */
export function countedIn(
  requests: readonly RequestAbout[],
  kind: StatusKind,
  showsSkipped: boolean,
): Said[] {
  const own = requests.filter((request) => statusKindsOf(request).includes(kind))
  return kind === 'pr' ? saidByPulls(own, showsSkipped) : saidByRefs(own, kind, showsSkipped)
}

/** The newest request of each ref. A ref that lost the commit counts only while no other was built. */
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

/** Statuses of the first group of pull requests that has any, so that no group takes another's result. */
function saidByPulls(requests: readonly RequestAbout[], showsSkipped: boolean): Said[] {
  const current = byRef(requests.filter(({ pull }) => pull?.is_current))
  const own = current
    .filter((ofPull) => ofPull.every(isTrusted))
    .flatMap((ofPull) => saidByPull(ofPull, showsSkipped))
  if (own.length > 0) return own
  const ofForks = current
    .filter((ofPull) => !ofPull.every(isTrusted))
    .toSorted(([a], [b]) => numberOf(a) - numberOf(b))
    .flatMap((ofPull) => saidByPull(ofPull, showsSkipped))
  // The oldest one without a success: a pull request that passes without an approval, as its base is not
  // built, must not pass any other.
  const oldest = ofForks.find(({ state }) => state !== 'success') ?? ofForks[0]
  if (oldest) return [oldest]
  return newest(
    requests.filter(({ pull }) => pull?.is_current === false),
    'pr',
    showsSkipped,
  )
}

/** From the base repository, or approved; an expired approval does not apply to later builds. */
const isTrusted = ({ from_fork, pull, build }: RequestAbout) =>
  !from_fork || (pull?.is_approved === true && !(build && isUnapproved(build)))
const numberOf = (request: RequestAbout | undefined) => request?.pull?.number ?? 0

/** The newest request about both head and base: merged into another base, the head gives another commit. */
function saidByPull(requests: readonly RequestAbout[], showsSkipped: boolean): Said[] {
  const aboutBase = requests.filter(({ base_ref, pull }) => base_ref === pull?.base_ref)
  const ofBase = newest(aboutBase, 'pr', showsSkipped)
  if (ofBase.length > 0) return ofBase
  return newest(requests, 'pr', showsSkipped).map((said) => ({
    ...said,
    state: 'error',
    text: `not tested against ${said.request.pull?.base_ref}`,
    // The build is about the other base.
    request: { ...said.request, build: null },
  }))
}

/** Status of the newest request that is not left out; a status that is `over` only if all are. */
function newest(
  requests: readonly RequestAbout[],
  kind: StatusKind,
  showsSkipped: boolean,
): Said[] {
  const said = requests.flatMap((request) => says(request, kind, showsSkipped) ?? [])
  return counting(said).slice(-1)
}

/** The statuses that count: `over` statuses count only if all are `over`. */
export function counting<S extends Said>(said: readonly S[]): S[] {
  const left = said.filter(({ only }) => only !== 'over')
  return left.length > 0 ? left : [...said]
}

const severity = ['success', 'pending', 'error']
const severityOf = ({ state }: Said) => severity.indexOf(state === 'failure' ? 'error' : state)

/** The worst status; on a tie, the status of the newest request. */
function worstOf(said: readonly Said[]): ShownStatus | undefined {
  const counted = counting(said)
  const [shown] = counted.toSorted(
    (a, b) => severityOf(b) - severityOf(a) || b.request.id - a.request.id,
  )
  if (!shown || counted.length === 1) return shown
  return { ...shown, about: subjectOf(shown.request) }
}

const byRef = (requests: readonly RequestAbout[]) => [
  ...grouped(requests, ({ ref }) => ref).values(),
]

/** The status of one request; undefined if the request is left out. */
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
  if (isUnapproved(build)) return { ...waitsForApproval, request }
  const unusable = build.is_unusable && build.state === 'errored' && unusableText(request.checks)
  if (unusable) return { state: 'error', text: unusable, request }
  const { state, text } = meaningOf(build.state)
  return { state, text: [text, ...unmetNotes(build.jobs, build.unmet)].join('; '), request }
}

type Reasons = readonly (RejectionReason | null)[]

/** Rejection reasons that give the commit no status. */
const leftOut: Reasons = [
  'repository_inactive',
  'repository_archived',
  'owner_excluded',
  'no_commit',
  'commit_not_on_ref',
]

/** Rejection reasons of the base repository, which no fork can cause. */
const ofRepository: Reasons = ['pushes_disabled', 'pull_requests_disabled']

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
  const isOver = reason === 'head_moved' || reason === 'left_merge_queue' || wasClosed(checks)
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
  // Shown, because a required context must not stay pending forever (NT-08).
  if (!showsSkipped) return
  if (isLeftToMaintainers(request) && pull?.is_approved === false) {
    if (!pull.is_current) return { ...superseded, request, only: 'over' }
    return { state: 'pending', text: `${waitsForApproval.text}: ${message ?? ''}`, request }
  }
  return { state: 'success', text, request }
}

/** Whether the pull request was closed when it was decided: if it is open again, a newer request says so. */
function wasClosed(checks: RequestAbout['checks']): boolean {
  return checks.some(({ rule, values }) => rule === 'merge_commit' && values['merge'] === 'closed')
}

/** Whether the base of a pull request, or the commit before a push, had a build file. */
function hadBuildFile({ checks }: RequestAbout): boolean {
  return checks.some(({ rule, values }) => rule === 'build_file' && values['lost'] === true)
}
