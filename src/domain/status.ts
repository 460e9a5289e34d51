import type { BuildState } from './build.ts'
import { queuedPullNumber } from './request/merge-queue.ts'
import type { Request } from './request/request.ts'

/** A commit status, as code hosts know it. */
export interface CommitStatus {
  state: 'pending' | 'success' | 'failure' | 'error'
  context: string
  description: string
  target_url: string
}

/** What a status says; its text is cut where it is posted. */
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

/** What was posted to a context of a commit last. */
export interface PostedStatus extends Omit<CommitStatus, 'context'> {
  /** How many statuses were posted to it. */
  posts: number
  /** Whether the code host has answered that it was taken. */
  is_certain: boolean
}

/** One context for each kind of event, so that none covers the result of another (D49). */
export const statusKinds = ['push', 'tag', 'cron', 'api', 'pr'] as const

export type StatusKind = (typeof statusKinds)[number]

/** The contexts that refs decide, rather than pull requests. */
export const kindsOfRefs = ['push', 'tag', 'cron', 'api'] as const satisfies readonly StatusKind[]

export function statusContext(kind: StatusKind, middle: string): string {
  return `continuous-integration/${middle}/${kind}`
}

/** The contexts that a request reports to: of a merge queue two, since either may be required. */
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

/** How the text of a request that was not built begins; its reason follows. */
export const noBuild = 'No build'

/** What code hosts accept, in UTF-16 units: some count a character outside of the basic plane as two. */
const longest = 140

/** Cut between characters, since code hosts refuse half of one. */
export function shortened(text: string): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
