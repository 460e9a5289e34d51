/** For so many seconds an approval holds, unless the pull request gets another head before. */
export const approvalSeconds = 30 * 24 * 60 * 60

/** What may be done with a pull request of a fork from a check run, by the name of its button. */
export const approveAction = 'approve'
