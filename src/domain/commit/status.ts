import type { BuildState } from '../build.ts'
import { queuedPullNumber } from '../request/merge-queue.ts'
import type { Request } from '../request/request.ts'

/** A commit status, as code hosts know it. */
export interface CommitStatus {
  state: 'pending' | 'success' | 'failure' | 'error'
  context: string
  description: string
  target_url: string
}

/** State and text of a status; the text is shortened when it is posted. */
export interface Meaning {
  state: CommitStatus['state']
  text: string
}

/** A commit of a repository that shows statuses and checks. */
export interface ShownCommit {
  repository_id: number
  sha: string
}

/** A context of a commit. */
export interface StatusTarget extends ShownCommit {
  kind: StatusKind
}

/** The last status posted to a context of a commit. */
export interface PostedStatus extends Omit<CommitStatus, 'context'> {
  /** Name of the context, which the operator can change; null for statuses older than this field. */
  context: string | null
  /** Number of statuses posted to the context. */
  posts: number
  /** Whether the code host has confirmed the status. */
  is_certain: boolean
}

/** One context for each kind of event, so that no result hides another (D49). */
export const statusKinds = ['push', 'tag', 'cron', 'api', 'pr'] as const

export type StatusKind = (typeof statusKinds)[number]

/** The contexts that refs decide, rather than pull requests. */
export const kindsOfRefs = ['push', 'tag', 'cron', 'api'] as const satisfies readonly StatusKind[]

export function statusContext(kind: StatusKind, middle: string): string {
  return `continuous-integration/${middle}/${kind}`
}

/** The contexts that a request reports to: two for a merge queue, because either may be required. */
export function statusKindsOf({
  event_type,
  ref,
}: Pick<Request, 'event_type' | 'ref'>): readonly StatusKind[] {
  if (queuedPullNumber(ref) !== null) return ['push', 'pr']
  if (event_type === 'pull_request') return ['pr']
  if (event_type !== 'push') return [event_type]
  return ref?.startsWith('refs/tags/') ? ['tag'] : ['push']
}

const meanings = {
  created: ['pending', 'Build queued'],
  received: ['pending', 'Build queued'],
  started: ['pending', 'Build running'],
  passed: ['success', 'The build passed'],
  failed: ['failure', 'The build failed'],
  errored: ['error', 'The build ended with an error'],
  canceled: ['error', 'The build was canceled'],
} as const satisfies Record<BuildState, readonly [CommitStatus['state'], string]>

export function meaningOf(state: BuildState): Meaning {
  const [status, text] = meanings[state]
  return { state: status, text }
}

export const waitsForApproval: Meaning = {
  state: 'pending',
  text: 'Waiting for a maintainer to approve this commit',
}

export const waitsForMerge: Meaning = {
  state: 'pending',
  text: 'Waiting for the code host to create the merge commit',
}

export const undecided: Meaning = { state: 'pending', text: 'Reading the build file' }

export const superseded: Meaning = {
  state: 'error',
  text: 'Superseded: the pull request was closed or has another head',
}

/** Start of the text for a request that was not built; the reason follows. */
export const noBuild = 'No build'
