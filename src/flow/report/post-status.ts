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

/**
 * Lets a context show the build of another request: the one that it shows, if that is one of these, else
 * the first of them. False without one that has begun, or needs no approval to.
 */
export async function postStanding(
  ctx: Context,
  place: Place,
  standing: readonly RequestOnCommit[],
): Promise<boolean> {
  const found = await Promise.all(standing.map(({ id }) => findBuildOfRequest(ctx.db, id)))
  const builds = found
    .filter((build) => build !== undefined)
    .filter((build) => !isUnapproved(build))
  const [first] = builds
  if (!first) return false
  const shown = await shownAt(ctx, place)
  if (builds.some(({ id }) => shown?.target_url === urlOf(ctx, place, id))) return true
  await postOfBuild(ctx, place, true, first, await resultOf(ctx, first, first.state))
  return true
}

/** Whether it was canceled, or never begun, since nobody approved it. */
export function isUnapproved({ waits_for_approval, started_at }: Build): boolean {
  return waits_for_approval && started_at === null
}

/** Whether a context shows this build; also where it shows nothing. */
export async function isShown(ctx: Context, place: Place, { id }: Build): Promise<boolean> {
  const shown = await shownAt(ctx, place)
  return shown === undefined || shown.target_url === urlOf(ctx, place, id)
}

async function shownAt(ctx: Context, { repository, sha, kind }: Place) {
  const { codehost, ref } = atCodehost(ctx, repository)
  const name = statusContext(kind, ctx.config.statusContext)
  const statuses = await codehost.statuses(ref, sha)
  return statuses.find(({ context }) => context === name)
}

function urlOf(ctx: Context, { repository }: Place, buildId: number): string {
  return buildUrl(ctx.config, slugOf(repository), buildId)
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
  const target_url = urlOf(ctx, place, id)
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
  place: Place,
  isRetry: boolean,
  shown: Shown,
): Promise<void> {
  const { repository, sha, kind } = place
  const { codehost, ref } = atCodehost(ctx, repository)
  const status = { ...shown, context: statusContext(kind, ctx.config.statusContext) }
  if (isRetry) {
    // An earlier try may have arrived although its response did not.
    const newest = await shownAt(ctx, place)
    if (newest && isSame(newest, status)) return
  }
  await codehost.postStatus(ref, sha, status)
  ctx.log.info({ repository_id: repository.id, sha, state: status.state }, 'status was posted')
}

function isSame(a: CommitStatus, b: CommitStatus): boolean {
  return a.state === b.state && a.description === b.description && a.target_url === b.target_url
}
