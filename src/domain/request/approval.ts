import type { RejectionReason, Request } from './request.ts'

/** Seconds for which an approval holds, unless the pull request gets another head earlier. */
export const approvalSeconds = 30 * 24 * 60 * 60

/**
 * The pull requests from forks that wait for an approval: all, only those of authors without an approved pull
 * request, or none.
 */
export const forkApprovals = ['always', 'first', 'never'] as const
export type ForkApproval = (typeof forkApprovals)[number]

/** State of the approval that a request of a fork needs. */
export type Approval =
  | { state: 'waiting'; by: null; at: null; until: null }
  | { state: 'superseded'; by: null; at: null; until: null }
  /** FORK_APPROVAL lets the commit be built without one. */
  | { state: 'unneeded'; by: null; at: null; until: null }
  /** `by` is null for a deleted user. */
  | { state: 'approved' | 'expired'; by: string | null; at: Date; until: Date }

/** Name of the check run button with which a fork's pull request is approved. */
export const approveAction = 'approve'

/**
 * Reasons that a fork's author can cause. The commit gets no success until a maintainer approves it
 * (D51).
 */
export const reasonsOfFile: readonly (RejectionReason | null)[] = [
  'skip_command',
  'pages_branch',
  'branch_excluded',
  'condition',
  'no_jobs',
]

/**
 * Whether the build was left out for a reason that a fork's author can cause. A maintainer then decides
 * whether the head passes without a build (D51).
 */
export function isLeftToMaintainers(
  request: Pick<Request, 'from_fork' | 'reason' | 'checks'>,
): boolean {
  return request.from_fork && reasonsOfFile.includes(request.reason) && !isLeftOutByBase(request)
}

/** Whether the file of the base branch leaves the pull request out for the same reason. */
function isLeftOutByBase({ checks }: Pick<Request, 'checks'>): boolean {
  return checks.some(({ rule, passed }) => rule === 'base_file' && !passed)
}
