import type { Build, BuildState } from '../../domain/build.ts'
import { isContested } from '../../domain/request/contested.ts'
import { unusableText } from '../../domain/request/decision.ts'
import type { Announcements } from '../../domain/outbox.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import { slugOf } from '../../domain/repository.ts'
import {
  type CommitStatus,
  rejectedStatus,
  statusContext,
  type StatusKind,
  statusKindsOf,
  statusOf,
  unusableStatus,
  waitsForApproval,
  waitsForMerge,
} from '../../domain/status.ts'
import { findBuild, isOutdone } from '../../store/builds.ts'
import { findRepository } from '../../store/repositories.ts'
import { findRequest, requestsShownAt } from '../../store/requests.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import { buildUrl, repositoryUrl } from './links.ts'
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
  const waits = build.waits_for_approval && state === 'created'
  const { sha, kinds } = await statusTarget(ctx.db, build)
  // Whoever opens a pull request of a head must not take its result from another one, nor a group that
  // leaves its merge queue that of another group of its commit.
  const hasLeft = kinds.length > 1 && state === 'canceled'
  if (waits || hasLeft) {
    const about = await requestsShownAt(ctx.db, repository.id, sha)
    if (isContested({ id: build.request_id }, about, kind ?? 'pr')) return
  }
  await post(ctx, repository, sha, isRetry, {
    ...(waits ? waitsForApproval : await resultOf(ctx, build, state as BuildState)),
    context: statusContext(kind ?? kinds[0] ?? 'push', ctx.config.statusContext),
    target_url: buildUrl(ctx.config, slugOf(repository), build.id),
  })
}

/** What a state says; of a build that ended since its build file cannot be used, what is wrong. */
async function resultOf(
  { db }: Context,
  { config_error, request_id }: Build,
  state: BuildState,
): Promise<Pick<CommitStatus, 'state' | 'description'>> {
  if (config_error === null || state !== 'errored') return statusOf(state)
  const request = await findRequest(db, request_id)
  const text = request && unusableText(request.checks)
  return text === undefined ? statusOf(state) : unusableStatus(text)
}

/** Posts why there is no build, for a rejected request. */
export async function reportRejected(
  ctx: Context,
  { request_id, kind }: Announcements['status:skipped'],
  isRetry: boolean,
): Promise<void> {
  const reported = await findReportedRequest(ctx, request_id)
  if (!reported) return
  await postOfRequest(ctx, { ...reported, kind }, isRetry, rejectedStatus(reported.request, kind))
}

/** Posts that a request waits for its merge commit, if it still does. */
export async function reportWaiting(
  ctx: Context,
  { request_id, kind }: Announcements['status:waiting'],
  isRetry: boolean,
): Promise<void> {
  const reported = await findReportedRequest(ctx, request_id)
  if (!reported || reported.request.state === 'finished') return
  await postOfRequest(ctx, { ...reported, kind }, isRetry, waitsForMerge)
}

function postOfRequest(
  ctx: Context,
  { request, repository, sha, kind }: ReportedRequest & { kind: StatusKind | undefined },
  isRetry: boolean,
  status: Pick<CommitStatus, 'state' | 'description'>,
): Promise<void> {
  const [first = 'push'] = statusKindsOf(request)
  return post(ctx, repository, sha, isRetry, {
    ...status,
    context: statusContext(kind ?? first, ctx.config.statusContext),
    target_url: repositoryUrl(ctx.config, slugOf(repository)),
  })
}

async function post(
  ctx: Context,
  repository: FoundRepository,
  sha: string,
  isRetry: boolean,
  status: CommitStatus,
): Promise<void> {
  const { codehost, ref } = atCodehost(ctx, repository)
  if (isRetry) {
    // An earlier try may have arrived although its response did not.
    const newest = (await codehost.statuses(ref, sha)).find(
      ({ context }) => context === status.context,
    )
    if (newest && isSame(newest, status)) return
  }
  await codehost.postStatus(ref, sha, status)
  ctx.log.info({ repository_id: repository.id, sha, state: status.state }, 'status was posted')
}

function isSame(a: CommitStatus, b: CommitStatus): boolean {
  return a.state === b.state && a.description === b.description && a.target_url === b.target_url
}
