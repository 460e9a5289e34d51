import type { MergeGroupEvent } from '../domain/event.ts'
import { isFinished } from '../domain/job/job.ts'
import { leftQueue, leftQueueAction, mergeQueueName } from '../domain/request/merge-queue.ts'
import type { Repository } from '../domain/repository.ts'
import type { Request } from '../domain/request/request.ts'
import { findBuildOfRequest } from '../store/builds.ts'
import { jobsOfBuild } from '../store/jobs.ts'
import { findRepository } from '../store/repositories.ts'
import { requestsOfRef, setRequestAction } from '../store/requests.ts'
import { cancelJob } from './cancel-job.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { holdEvents } from './event/hold-events.ts'
import { receiveLeftGroup } from './event/receive-merge-group.ts'
import { announceRequest } from './report/announce-commit.ts'
import { rejectUndecided } from './request/reject-undecided.ts'
import { transact } from './transact.ts'

/**
 * Ends what was made for a commit that has left its merge queue: a request that is not decided is
 * rejected, and the jobs of a build are canceled. What was merged goes on: it is the base branch now.
 */
export async function endMergeGroup(ctx: Context, event: MergeGroupEvent): Promise<EventOutcome> {
  const { ref, reason } = event
  const { provider, codehost_id, name } = event.repository
  const repository = await findRepository(ctx.db, { provider, codehost_id })
  if (!repository) return { unknown: `unknown repository ${name}` }
  const left = `${mergeQueueName(ref)} has left the merge queue (${reason ?? 'no reason given'})`
  if (reason === 'merged') {
    await leaveQueue(ctx, repository, event)
    return { noted: left }
  }
  const made = await requestsOf(ctx, repository, event)
  let canceled = 0
  for (const { id } of made) canceled += await endRequest(ctx, id)
  if (canceled === 0) return { noted: left }
  return { noted: `${left}: ${canceled} ${canceled === 1 ? 'job' : 'jobs'} canceled` }
}

/**
 * The requests about that commit. The event that asks for its checks may be behind the one that says that
 * they are not wanted: without any request one is made and rejected, which that event then finds.
 */
function requestsOf(
  ctx: Context,
  repository: Repository,
  event: MergeGroupEvent,
): Promise<Pick<Request, 'id'>[]> {
  return transact(ctx, async (tx) => {
    // Else the other event could be stored between the look and the rejection, and be built.
    await holdEvents(tx, event.repository)
    const at = { repository_id: repository.id, ref: event.ref }
    const made = await requestsOfRef(tx.db, at, event.head_commit.sha)
    if (made.length > 0) return made
    const request = await receiveLeftGroup(tx, repository, event)
    const rejected = request && (await rejectUndecided(tx, request.id, leftQueue))
    if (rejected) await announceRequest(tx, rejected)
    return []
  })
}

/** What was merged counts as a push to the base from now on (D49 f). */
function leaveQueue(
  ctx: Context,
  repository: Repository,
  { ref, head_commit }: MergeGroupEvent,
): Promise<void> {
  return transact(ctx, async (tx) => {
    const at = { repository_id: repository.id, ref }
    for (const { id } of await requestsOfRef(tx.db, at, head_commit.sha)) {
      const ended = await setRequestAction(tx.db, id, leftQueueAction)
      if (ended) await announceRequest(tx, ended)
    }
  })
}

/** The number of jobs that were canceled. A build that is just being created is canceled as well. */
async function endRequest(ctx: Context, id: number): Promise<number> {
  const build = await transact(ctx, async (tx) => {
    const rejected = await rejectUndecided(tx, id, leftQueue)
    const ended = rejected ?? (await setRequestAction(tx.db, id, leftQueueAction))
    if (ended) await announceRequest(tx, ended)
    return rejected ? undefined : findBuildOfRequest(tx.db, id)
  })
  if (!build) return 0
  const open = (await jobsOfBuild(ctx.db, build.id)).filter((job) => !isFinished(job))
  for (const job of open) await cancelJob(ctx, null, job.id)
  return open.length
}
