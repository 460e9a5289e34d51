import type { Actor } from '../../domain/audit.ts'
import { ServiceError } from '../../domain/errors.ts'
import { isLeftToMaintainers } from '../../domain/request/approval.ts'
import type { Request } from '../../domain/request/request.ts'
import { lockBuild, updateBuild } from '../../store/builds/builds.ts'
import { jobsOfBuild } from '../../store/jobs/jobs.ts'
import { blockedSenderOf } from '../../store/people/blocked-senders.ts'
import { buildsToApprove, lockPull, putApproval } from '../../store/requests/approvals.ts'
import { findRequest } from '../../store/requests/requests.ts'
import { ofBlockedText } from '../../texts/blocked-text.ts'
import { audit } from '../audit.ts'
import { announceBuild } from '../builds/announce-build.ts'
import { archivedReason } from '../builds/refuse-restart.ts'
import type { Context } from '../context.ts'
import { announceCommit } from '../statuses/announce-commit.ts'
import { transact, type Transaction } from '../transact.ts'

/**
 * Approves the head of a fork's pull request that a request names, for its base (D53): waiting and future
 * builds of this head and base run, for 30 days or until either changes (SV-26). A request that was not
 * built, for a reason that the fork gave, passes without a build. Throws if there is nothing to approve, the
 * head or base has changed already, the repository is archived, or a blocked user caused the request.
 * Undefined for an unknown request.
 */
export function approveRequest(
  ctx: Context,
  by: Actor,
  requestId: number,
): Promise<Request | undefined> {
  return transact(ctx, async (tx) => {
    const request = await findRequest(tx.db, requestId)
    if (!request) return
    const { repository_id, head_commit, pull_request_id } = request
    if (!request.from_fork || head_commit === null || pull_request_id === null) {
      throw notApprovable('this request does not come from a fork and needs no approval')
    }
    if (request.result === 'rejected' && !isLeftToMaintainers(request)) {
      throw notApprovable(
        'this request was rejected for the reason in its message: create another one',
      )
    }
    const archived = await archivedReason(tx, request)
    if (archived !== undefined) throw notApprovable(archived)
    const blocked = await blockedSenderOf(tx.db, requestId)
    if (blocked !== undefined) throw notApprovable(ofBlockedText(blocked))
    const pull = await lockPull(tx.db, pull_request_id)
    if (!pull || pull.head_sha !== head_commit) {
      throw notApprovable(
        'the pull request has new commits: review and approve the request for its latest commit',
      )
    }
    const { base_ref } = pull
    if (request.base_ref !== null && request.base_ref !== base_ref) {
      throw notApprovable(
        `the pull request is now to be merged into ${base_ref}: review and approve the request ` +
          'about that branch',
      )
    }
    const sha = head_commit
    const approved_by_id = by.user.id
    await putApproval(tx.db, { repository_id, pull_request_id, sha, base_ref, approved_by_id })
    await release(tx, { ...request, base_ref: request.base_ref && base_ref })
    announceCommit(tx, { repository_id, sha }, ['pr'])
    await audit(tx, by, {
      action: 'approve',
      subject_type: 'request',
      subject_id: requestId,
      changed: { pull_request: pull.number, sha, base: base_ref },
    })
    return request
  })
}

function notApprovable(message: string): ServiceError {
  return new ServiceError('unprocessable_entity', message)
}

/**
 * Schedules the builds that waited for this approval or run without one, and reports them to the code host. Builds of another
 * request about the same head that a blocked user caused keep waiting.
 */
async function release(tx: Transaction, request: Request): Promise<void> {
  for (const id of await buildsToApprove(tx.db, request)) {
    const build = await lockBuild(tx.db, id)
    const [job] = await jobsOfBuild(tx.db, id)
    if (!build || !job) continue
    if ((await blockedSenderOf(tx.db, build.request_id)) !== undefined) continue
    const approved = { waits_for_approval: false, without_approval: false }
    await updateBuild(tx.db, id, approved)
    await announceBuild(tx, { ...build, ...approved })
    tx.follow('jobs.schedule', { owner_id: job.owner_id, owner_type: job.owner_type })
  }
}
