import type { RejectionReason, Request } from './request.ts'

/** For so many seconds an approval holds, unless the pull request gets another head before. */
export const approvalSeconds = 30 * 24 * 60 * 60

/** What is known of the approval that a request of a fork needs. */
export type Approval =
  | { state: 'waiting'; by: null; at: null; until: null }
  | { state: 'superseded'; by: null; at: null; until: null }
  /** `by` is null for a user who is deleted. */
  | { state: 'approved' | 'expired'; by: string | null; at: Date; until: Date }

/** What may be done with a pull request of a fork from a check run, by the name of its button. */
export const approveAction = 'approve'

/** Reasons that a fork's author can bring about, so that its success waits for a maintainer (D51). */
export const reasonsOfFile: readonly (RejectionReason | null)[] = [
  'skip_command',
  'branch_excluded',
  'condition',
  'no_jobs',
]

/**
 * Whether a fork's author can have left out the build, so that a maintainer decides whether the head
 * passes without one (D51).
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
