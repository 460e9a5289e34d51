import type { BuildState } from './build.ts'
import { hasUnreadableCondition, isSkippedOnPurpose } from './decision.ts'
import { queuedPullNumber } from './merge-queue.ts'
import type { Request } from './request.ts'

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
export type StatusKind = 'push' | 'pr'

export function statusContext(kind: StatusKind, middle: string): string {
  return `continuous-integration/${middle}/${kind}`
}

/** The contexts that a request reports to: of a merge queue both, since either may be required. */
export function statusKindsOf({
  event_type,
  ref,
}: Pick<Request, 'event_type' | 'ref'>): readonly StatusKind[] {
  if (queuedPullNumber(ref) !== null) return ['push', 'pr']
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
  description: 'Waiting until the code host has made the merge commit',
}

/**
 * For a rejected request. One that was skipped on purpose succeeds: a required context must not stay
 * pending forever (NT-08). Nothing else is shown as a success, a condition with a typo least of all.
 */
export function rejectedStatus({
  reason,
  message,
  checks,
}: Pick<Request, 'reason' | 'message' | 'checks'>): Pick<CommitStatus, 'state' | 'description'> {
  const onPurpose = reason !== null && isSkippedOnPurpose(reason) && !hasUnreadableCondition(checks)
  const state = onPurpose ? 'success' : 'error'
  const text = reason === 'head_moved' ? superseded : `No build: ${message ?? ''}`
  return { state, description: shortened(text) }
}

/** What code hosts accept. */
const longest = 140

/** Cut between characters, since code hosts refuse half of one. */
function shortened(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= longest) return text
  return `${characters.slice(0, longest - 1).join('')}…`
}

const superseded = 'Superseded: the pull request has a newer head, which is built instead'
