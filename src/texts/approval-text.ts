import type { Approval } from '../domain/request/approval.ts'
import { shownTime } from '../domain/time/shown-time.ts'

/** The state of an approval in words. */
export function approvalText(approval: Approval): string {
  if (approval.state === 'waiting') {
    return 'none yet: a build of a fork waits until a maintainer approves this commit, on the page of the build'
  }
  if (approval.state === 'unneeded') {
    return 'not needed here (FORK_APPROVAL): its jobs run without secrets, even if the settings share them with forks'
  }
  if (approval.state === 'superseded') {
    return 'void: the pull request has new commits, and only the latest one can be approved'
  }
  const given = `by ${approval.by ?? 'a deleted user'} at ${shownTime(approval.at)}`
  const until = shownTime(approval.until)
  return approval.state === 'approved'
    ? `${given}, until ${until} or the next head`
    : `expired at ${until} (given ${given}). Builds that start or restart from now on wait for a new approval`
}
