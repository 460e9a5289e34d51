import type { Build, BuildState } from '../../domain/build.ts'
import type { RequestOnCommit } from '../../domain/request/contested.ts'
import { unusableText } from '../../domain/request/decision.ts'
import { type FoundRepository, slugOf } from '../../domain/repository.ts'
import {
  type CommitStatus,
  statusContext,
  type StatusKind,
  statusOf,
  unusableStatus,
} from '../../domain/status.ts'
import { findBuildOfRequest } from '../../store/builds.ts'
import { findRequest } from '../../store/requests.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import { buildUrl } from './links.ts'

/** Where a status is shown. */
export interface Place {
  repository: FoundRepository
  sha: string
  kind: StatusKind
}

/** A status without its context, which the place says. */
export type Shown = Omit<CommitStatus, 'context'>

/** Has a context show the build of another request again; false without one. */
export async function postStanding(
  ctx: Context,
  place: Place,
  standing: RequestOnCommit | undefined,
): Promise<boolean> {
  const build = standing && (await findBuildOfRequest(ctx.db, standing.id))
  if (!build || awaitsApproval(build, build.state)) return false
  await postOfBuild(ctx, place, true, build, await resultOf(ctx, build, build.state))
  return true
}

/** Whether a build in this state has not begun since nobody has approved it. */
export function awaitsApproval({ waits_for_approval }: Build, state: BuildState): boolean {
  return waits_for_approval && state === 'created'
}

export function postOfBuild(
  ctx: Context,
  place: Place,
  isRetry: boolean,
  { id }: Pick<Build, 'id'>,
  result: Omit<Shown, 'target_url'>,
): Promise<void> {
  const target_url = buildUrl(ctx.config, slugOf(place.repository), id)
  return post(ctx, place, isRetry, { ...result, target_url })
}

/** What a state says; of a build that ended since its build file cannot be used, what is wrong. */
export async function resultOf(
  { db }: Context,
  { config_error, request_id }: Build,
  state: BuildState,
): Promise<Omit<Shown, 'target_url'>> {
  if (config_error === null || state !== 'errored') return statusOf(state)
  const request = await findRequest(db, request_id)
  const text = request && unusableText(request.checks)
  return text === undefined ? statusOf(state) : unusableStatus(text)
}

export async function post(
  ctx: Context,
  { repository, sha, kind }: Place,
  isRetry: boolean,
  shown: Shown,
): Promise<void> {
  const { codehost, ref } = atCodehost(ctx, repository)
  const status = { ...shown, context: statusContext(kind, ctx.config.statusContext) }
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
