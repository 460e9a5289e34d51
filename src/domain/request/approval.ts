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
