import type { BuildState } from './build.ts'
import { isSkippedRightly } from './request/decision.ts'
import { queuedPullNumber } from './request/merge-queue.ts'
import type { RejectionReason, Request } from './request/request.ts'

/** A commit status, as code hosts know it. */
export interface CommitStatus {
  state: 'pending' | 'success' | 'failure' | 'error'
  context: string
  description: string
  target_url: string
}

const meanings = {
  created: ['pending', 'The build is waiting'],
  received: ['pending', 'The build is waiting'],
  started: ['pending', 'The build is running'],
  passed: ['success', 'The build passed'],
  failed: ['failure', 'The build failed'],
  errored: ['error', 'The build ended with an error'],
  canceled: ['error', 'The build was canceled'],
} as const satisfies Record<BuildState, readonly [CommitStatus['state'], string]>

/** One context per kind of build, so that a branch's and a pull request's do not hide each other. */
export const statusKinds = ['push', 'pr'] as const

export type StatusKind = (typeof statusKinds)[number]

export function statusContext(kind: StatusKind, middle: string): string {
  return `continuous-integration/${middle}/${kind}`
}

/** The contexts that a request reports to: of a merge queue both, since either may be required. */
export function statusKindsOf({
  event_type,
  ref,
}: Pick<Request, 'event_type' | 'ref'>): readonly StatusKind[] {
  if (queuedPullNumber(ref) !== null) return statusKinds
  return event_type === 'pull_request' ? ['pr'] : ['push']
}

/** State and description for a build in this state. */
export function statusOf(state: BuildState): Pick<CommitStatus, 'state' | 'description'> {
  const [status, description] = meanings[state]
  return { state: status, description }
}

/** For a build that ended because its build file cannot be used: what is wrong with that. */
export function unusableStatus(text: string): Pick<CommitStatus, 'state' | 'description'> {
  return { state: 'error', description: shortened(text) }
}

export const waitsForApproval: Pick<CommitStatus, 'state' | 'description'> = {
  state: 'pending',
  description: 'The build waits for the approval of a maintainer',
}

export const waitsForMerge: Pick<CommitStatus, 'state' | 'description'> = {
  state: 'pending',
  description: 'Waiting for the code host to show the merge commit',
}

/**
 * For a rejected request. One that was skipped on purpose succeeds: a required context must not stay
 * pending forever (NT-08). Nothing else is shown as a success, a condition with a typo least of all.
 */
export function rejectedStatus(
  request: Pick<Request, 'reason' | 'message' | 'checks' | 'ref'>,
  kind?: StatusKind,
): Pick<CommitStatus, 'state' | 'description'> {
  const { reason, message } = request
  if (reason === 'head_moved') return { state: 'error', description: superseded }
  const onPurpose = isSkippedRightly(request)
  const untested = onPurpose && kind === 'push' && isQueuedOnly(request)
  const state = onPurpose && !untested ? 'success' : 'error'
  const text = `${untested ? 'No build for the merge queue' : 'No build'}: ${message ?? ''}`
  return { state, description: shortened(text) }
}

/**
 * Whether a commit of a merge queue is left out for what it is, a pull request, where a push to the
 * same base may be built: a queue that asks for the result of pushes must not let it pass untested.
 */
function isQueuedOnly({ reason, ref }: Pick<Request, 'reason' | 'ref'>): boolean {
  return forPullsOnly.includes(reason) && queuedPullNumber(ref) !== null
}

const forPullsOnly: readonly (RejectionReason | null)[] = [
  'pull_requests_disabled',
  'condition',
  'no_jobs',
]

/** What code hosts accept. */
const longest = 140

/** Cut between characters, since code hosts refuse half of one. */
function shortened(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= longest) return text
  return `${characters.slice(0, longest - 1).join('')}…`
}

const superseded = 'Superseded: the pull request is at another head by now'
