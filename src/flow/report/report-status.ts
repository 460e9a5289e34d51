import type { Build, BuildState } from '../../domain/build.ts'
import {
  isBuiltAnew,
  isContested,
  isPushedSince,
  type RequestOnCommit,
  skippedAt,
  standingBeside,
} from '../../domain/request/contested.ts'
import { hasFaultyCondition } from '../../domain/request/decision.ts'
import { queuedPullNumber } from '../../domain/request/merge-queue.ts'
import type { Announcements } from '../../domain/outbox.ts'
import { slugOf } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import {
  rejectedStatus,
  type StatusKind,
  statusKindsOf,
  waitsForApproval,
  waitsForMerge,
} from '../../domain/status.ts'
import { findBuild, isOutdone } from '../../store/builds.ts'
import { findRepository } from '../../store/repositories.ts'
import { findRequest, requestsShownAt } from '../../store/requests.ts'
import type { Context } from '../context.ts'
import { repositoryUrl } from './links.ts'
import {
  awaitsApproval,
  isShown,
  isUnapproved,
  type Place,
  post,
  postOfBuild,
  postStanding,
  resultOf,
  type Shown,
} from './post-status.ts'
import { findReportedRequest, type ReportedRequest } from './reported-request.ts'
import { statusTarget } from './status-target.ts'

/**
 * Posts the status that a build had when it was announced. `isRetry`: it may have been posted already.
 * A head that is built anew, as for another base, has the result of its newest request alone.
 */
export async function reportStatus(
  ctx: Context,
  { build_id, state, kind }: Announcements['status:build'],
  isRetry: boolean,
): Promise<void> {
  const build = await findBuild(ctx.db, build_id)
  const repository = build && (await findRepository(ctx.db, { id: build.repository_id }))
  if (!build || !repository || (await isOutdone(ctx.db, build, 'any'))) return
  const waits = awaitsApproval(build, state as BuildState)
  const { sha, kinds } = await statusTarget(ctx.db, build)
  const place = { repository, sha, kind: kind ?? kinds[0] ?? 'push' }
  // Whoever opens a pull request of a head must not take its result from another one, nor a group that
  // leaves its merge queue that of another group of its commit.
  const isDropped = state === 'canceled' && (kinds.length > 1 || isUnapproved(build))
  const about =
    waits || kinds.length > 1 || isDropped ? await requestsShownAt(ctx.db, repository.id, sha) : []
  const own = { id: build.request_id, event_type: build.event_type }
  if (waits && isContested(own, about, place.kind)) return
  if (place.kind === 'push' && isPushedSince(own, about)) return
  if (isDropped && (await isDroppedFor(ctx, place, build, about))) return
  const result = waits ? waitsForApproval : await resultOf(ctx, build, state as BuildState)
  await postOfBuild(ctx, place, isRetry, build, result)
}

/**
 * Whether a context shows something else than that a build was dropped: what it showed all the time, or
 * what the build had covered, once that is about nothing any more.
 */
async function isDroppedFor(
  ctx: Context,
  place: Place,
  build: Build,
  about: readonly RequestOnCommit[],
): Promise<boolean> {
  if (!(await isShown(ctx, place, build))) return true
  const own = about.find(({ id }) => id === build.request_id)
  if (!own?.is_over) return false
  if (await postStanding(ctx, place, standingBeside(own, about, place.kind))) return true
  return postSkipped(ctx, place, about)
}

/** Has a context show again what is skipped on purpose, which a pending status may have covered. */
async function postSkipped(
  ctx: Context,
  place: Place,
  about: readonly RequestOnCommit[],
): Promise<boolean> {
  const skipped = ctx.config.statusForSkipped ? skippedAt(about, place.kind) : undefined
  const request = skipped && (await findRequest(ctx.db, skipped.id))
  if (!request) return false
  await postOfRequest(ctx, place, true, rejectedStatus(request, place.kind))
  return true
}

/**
 * Posts why there is no build, for a rejected request; where that says nothing about the commit, the
 * result of another request stays.
 */
export async function reportRejected(
  ctx: Context,
  { request_id, kind }: Announcements['status:skipped'],
  isRetry: boolean,
): Promise<void> {
  const reported = await findReportedRequest(ctx, request_id)
  if (!reported) return
  const { request } = reported
  const place = placeOf(reported, kind)
  const status = rejectedStatus(request, kind)
  if (status.state === 'error' && (await hasStanding(ctx, place, request))) return
  await postOfRequest(ctx, place, isRetry, status)
}

/** Whether another request has the result that is shown; it is shown again if need be. */
async function hasStanding(ctx: Context, place: Place, request: Request): Promise<boolean> {
  const { reason, ref, checks } = request
  const isGivenUp = reason === 'internal_error'
  const isOfPull = reason === 'head_moved' || reason === 'no_merge_commit'
  const isOfQueue = queuedPullNumber(ref) !== null && !hasFaultyCondition(checks)
  if (!isGivenUp && !isOfPull && !isOfQueue) return false
  const about = await requestsShownAt(ctx.db, place.repository.id, place.sha)
  if (isGivenUp) return isBuiltAnew(request, about)
  if (await postStanding(ctx, place, standingBeside(request, about, place.kind))) return true
  return isOfPull && postSkipped(ctx, place, about)
}

/** Posts that a request waits for its merge commit, if it still does and nothing else has a result. */
export async function reportWaiting(
  ctx: Context,
  { request_id, kind }: Announcements['status:waiting'],
  isRetry: boolean,
): Promise<void> {
  const reported = await findReportedRequest(ctx, request_id)
  if (!reported || reported.request.state === 'finished') return
  const place = placeOf(reported, kind)
  const about = await requestsShownAt(ctx.db, place.repository.id, place.sha)
  if (standingBeside(reported.request, about, place.kind).length > 0) return
  await postOfRequest(ctx, place, isRetry, waitsForMerge)
}

function placeOf({ request, repository, sha }: ReportedRequest, kind?: StatusKind): Place {
  return { repository, sha, kind: kind ?? statusKindsOf(request)[0] ?? 'push' }
}

function postOfRequest(
  ctx: Context,
  place: Place,
  isRetry: boolean,
  status: Omit<Shown, 'target_url'>,
): Promise<void> {
  const target_url = repositoryUrl(ctx.config, slugOf(place.repository))
  return post(ctx, place, isRetry, { ...status, target_url })
}
