import type { Actor } from '../domain/audit.ts'
import { ServiceError } from '../domain/errors.ts'
import { ofBlockedText } from '../domain/request/blocked-text.ts'
import type { Request } from '../domain/request/request.ts'
import { buildsToApprove, lockPull, putApproval } from '../store/approvals.ts'
import { blockedSenderOf } from '../store/blocked-senders.ts'
import { lockBuild, updateBuild } from '../store/builds.ts'
import { jobsOfBuild } from '../store/jobs.ts'
import { rawConfigsOfRequest } from '../store/raw-configs.ts'
import { findRequest } from '../store/requests.ts'
import { audit } from './audit.ts'
import { announceBuild } from './build/announce-build.ts'
import { archivedReason } from './build/refuse-of-archived.ts'
import type { Context } from './context.ts'
import { checkStream } from './report/streams.ts'
import { transact, type Transaction } from './transact.ts'

/**
 * Approves the head that a fork's pull request named with a request: its builds run, those that wait
 * and those to come, for 30 days or until there is another head (SV-26). Throws where there is nothing
 * to approve, another head already, the repository is archived, or someone who is blocked caused it. Undefined for an unknown request.
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
    if (request.result === 'rejected') {
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
    const approved_by_id = by.user.id
    await putApproval(tx.db, { repository_id, pull_request_id, sha: head_commit, approved_by_id })
    await release(tx, request, head_commit)
    await audit(tx, by, {
      action: 'approve',
      subject_type: 'request',
      subject_id: requestId,
      changed: { pull_request: pull.number, sha: head_commit },
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
async function release(tx: Transaction, request: Request, sha: string): Promise<void> {
  for (const id of await buildsToApprove(tx.db, request)) {
    const build = await lockBuild(tx.db, id)
    const [job] = await jobsOfBuild(tx.db, id)
    if (!build || !job) continue
    if ((await blockedSenderOf(tx.db, build.request_id)) !== undefined) continue
    await updateBuild(tx.db, id, { waits_for_approval: false })
    await announceBuild(tx, { ...build, waits_for_approval: false })
    const { repository_id, request_id } = build
    // Without a build file there are no findings, and so no check.
    if ((await rawConfigsOfRequest(tx.db, request_id)).length > 0) {
      tx.announce('check:config', checkStream(repository_id, sha), { request_id })
    }
    tx.follow('jobs.schedule', { owner_id: job.owner_id, owner_type: job.owner_type })
  }
}
