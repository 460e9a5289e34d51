import type { MergeGroupEvent } from '../../domain/event.ts'
import { canceledBecause } from '../../domain/job/cancellation.ts'
import { isFinished } from '../../domain/job/job.ts'
import type { Repository } from '../../domain/repository.ts'
import {
  leftQueue,
  leftQueueAction,
  mergedAlready,
  mergeQueueName,
} from '../../domain/request/merge-queue.ts'
import type { Request } from '../../domain/request/request.ts'
import { findBuildOfRequest } from '../../store/builds/builds.ts'
import { jobsOfBuild } from '../../store/jobs/jobs.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { requestsOfRef, setRequestAction } from '../../store/requests/requests.ts'
import type { Context } from '../context.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { rejectUndecided } from '../requests/give-up-request.ts'
import { announceRequest } from '../statuses/announce-commit.ts'
import { transact } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'
import { holdEvents } from './hold-events.ts'
import { receiveLeftGroup } from './receive-merge-group.ts'

/**
 * Ends the requests and builds of a commit that has left its merge queue: undecided requests are rejected,
 * and the jobs of builds are canceled. Those of a merged commit continue: it is the base branch now.
 */
export async function endMergeGroup(ctx: Context, event: MergeGroupEvent): Promise<EventOutcome> {
  const { ref, reason } = event
  const { provider, codehost_id, name } = event.repository
  const repository = await findRepository(ctx.db, { provider, codehost_id })
  if (!repository) return { unknown: `unknown repository ${name}` }
  const left = `${mergeQueueName(ref)} has left the merge queue (${reason ?? 'no reason given'})`
  const made = await requestsOf(ctx, repository, event)
  if (reason === 'merged') {
    await leaveQueue(ctx, made)
    return { noted: left }
  }
  let canceled = 0
  for (const { id } of made) canceled += await endRequest(ctx, id, left)
  if (canceled === 0) return { noted: left }
  return { noted: `${left}: ${canceled} ${canceled === 1 ? 'job' : 'jobs'} canceled` }
}

/**
 * The requests about that commit. The event that requests its checks may arrive after the event that ends
 * them: without any request, a rejected one is created here, and the late event finds it.
 */
function requestsOf(
  ctx: Context,
  repository: Repository,
  event: MergeGroupEvent,
): Promise<Pick<Request, 'id'>[]> {
  return transact(ctx, async (tx) => {
    // Otherwise the other event could be stored between the lookup and the rejection, and be built.
    await holdEvents(tx, event.repository)
    const at = { repository_id: repository.id, ref: event.ref }
    const made = await requestsOfRef(tx.db, at, event.head_commit.sha)
    if (made.length > 0) return made
    const request = await receiveLeftGroup(tx, repository, event)
    const rejection = event.reason === 'merged' ? mergedAlready : leftQueue
    const rejected = request && (await rejectUndecided(tx, request.id, rejection))
    if (rejected) await announceRequest(tx, rejected)
    return []
  })
}

/** A merged commit counts as a push to the base from now on (D49 f). */
function leaveQueue(ctx: Context, made: readonly Pick<Request, 'id'>[]): Promise<void> {
  return transact(ctx, async (tx) => {
    for (const { id } of made) {
      const ended = await setRequestAction(tx.db, id, leftQueueAction)
      if (ended) await announceRequest(tx, ended)
    }
  })
}

/** Returns the number of canceled jobs. A build that is just being created is also canceled. */
async function endRequest(ctx: Context, id: number, why: string): Promise<number> {
  const build = await transact(ctx, async (tx) => {
    const rejected = await rejectUndecided(tx, id, leftQueue)
    const ended = rejected ?? (await setRequestAction(tx.db, id, leftQueueAction))
    if (ended) await announceRequest(tx, ended)
    return rejected ? undefined : findBuildOfRequest(tx.db, id)
  })
  if (!build) return 0
  const open = (await jobsOfBuild(ctx.db, build.id)).filter((job) => !isFinished(job))
  for (const job of open) await cancelJob(ctx, canceledBecause(why), job.id)
  return open.length
}
