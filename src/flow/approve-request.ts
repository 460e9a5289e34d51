import type { Actor } from '../domain/audit.ts'
import { ServiceError } from '../domain/errors.ts'
import { ofBlockedText } from '../domain/request/blocked-text.ts'
import { isLeftToMaintainers } from '../domain/request/approval.ts'
import type { Request } from '../domain/request/request.ts'
import { buildsToApprove, lockPull, putApproval } from '../store/approvals.ts'
import { blockedSenderOf } from '../store/blocked-senders.ts'
import { lockBuild, updateBuild } from '../store/builds.ts'
import { jobsOfBuild } from '../store/jobs.ts'
import { findRequest } from '../store/requests.ts'
import { audit } from './audit.ts'
import { announceBuild } from './build/announce-build.ts'
import { archivedReason } from './build/refuse-of-archived.ts'
import type { Context } from './context.ts'
import { announceCommit } from './report/announce-commit.ts'
import { transact, type Transaction } from './transact.ts'

/**
 * Approves the head that a fork's pull request named with a request, for the base that it is to be merged
 * into (D53): the builds of both run, those that wait and those to come, for 30 days or until either
 * changes (SV-26). A request that was not built, for a reason that the fork gave, passes without a build.
 * Throws where there is nothing to approve, another head or base already, the repository is archived, or
 * someone who is blocked caused it. Undefined for an unknown request.
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
      throw notApprovable('this request comes from no fork, so that it needs no approval')
    }
    if (request.result === 'rejected' && !isLeftToMaintainers(request)) {
      throw notApprovable(
        'this request was rejected, for the reason that its message gives: send another one',
      )
    }
    const archived = await archivedReason(tx, request)
    if (archived !== undefined) throw notApprovable(archived)
    const blocked = await blockedSenderOf(tx.db, requestId)
    if (blocked !== undefined) throw notApprovable(ofBlockedText(blocked))
    const pull = await lockPull(tx.db, pull_request_id)
    if (!pull || pull.head_sha !== head_commit) {
      throw notApprovable(
        'the pull request has another head by now: review and approve the request about that one',
      )
    }
    const { base_ref } = pull
    if (request.base_ref !== null && request.base_ref !== base_ref) {
      throw notApprovable(
        `the pull request is to be merged into ${base_ref} by now: review and approve the request ` +
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
 * Has the builds that waited for this approval run, and the code host told of it. Those stay that someone
 * who is blocked caused, where another request is about the same head.
 */
async function release(tx: Transaction, request: Request): Promise<void> {
  for (const id of await buildsToApprove(tx.db, request)) {
    const build = await lockBuild(tx.db, id)
    const [job] = await jobsOfBuild(tx.db, id)
    if (!build || !job) continue
    if ((await blockedSenderOf(tx.db, build.request_id)) !== undefined) continue
    await updateBuild(tx.db, id, { waits_for_approval: false })
    await announceBuild(tx, { ...build, waits_for_approval: false })
    tx.follow('jobs.schedule', { owner_id: job.owner_id, owner_type: job.owner_type })
  }
}
