import { type RequestAbout, type ShownStatus, statusesOf } from '../../domain/commit-status.ts'
import { type FoundRepository, slugOf } from '../../domain/repository.ts'
import {
  type CommitStatus,
  type PostedStatus,
  shortened,
  statusContext,
  type StatusTarget,
} from '../../domain/status.ts'
import { findPostedStatus, putPostedStatus, requestsAbout } from '../../store/commit-statuses.ts'
import { findRepository } from '../../store/repositories.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import { buildUrl, repositoryUrl } from './links.ts'

type Shown = Omit<CommitStatus, 'context'>

/** Of 1,000 statuses that a code host takes for a context, the last hundred are for final states. */
const mostPending = 900

/**
 * Derives what a context of a commit shows now, and posts it where it differs from what was posted
 * last. `isRetry`: the status of an earlier try may have arrived although its response did not.
 */
export async function convergeStatus(
  ctx: Context,
  target: StatusTarget,
  isRetry: boolean,
): Promise<void> {
  const repository = await findRepository(ctx.db, { id: target.repository_id })
  if (!repository) return
  const requests = await requestsAbout(ctx.db, target)
  const shown = statusesOf(requests, ctx.config.statusForSkipped)[target.kind]
  const stored = await findPostedStatus(ctx.db, target)
  const isUnclear = isRetry || stored?.is_certain === false
  const posted = isUnclear ? await shownAt(ctx, repository, target) : stored
  const wanted = shown
    ? statusFor(ctx, repository, shown)
    : endOfPending(ctx, repository, requests, posted)
  if (!wanted || (shown?.only === 'late' && !posted)) return
  const posts = stored?.posts ?? 0
  if (posted && isSame(posted, wanted)) {
    if (isUnclear) await putPostedStatus(ctx.db, target, { ...wanted, posts, is_certain: true })
    return
  }
  if (posts >= mostPending && wanted.state === 'pending') return
  await post(ctx, repository, target, { ...wanted, posts: posts + 1 })
}

/** Stores that a status is posted before it is, and that it arrived after the response. */
async function post(
  ctx: Context,
  repository: FoundRepository,
  target: StatusTarget,
  { posts, ...wanted }: Omit<PostedStatus, 'is_certain'>,
): Promise<void> {
  const { codehost, ref } = atCodehost(ctx, repository)
  const context = statusContext(target.kind, ctx.config.statusContext)
  await putPostedStatus(ctx.db, target, { ...wanted, posts, is_certain: false })
  await codehost.postStatus(ref, target.sha, { ...wanted, context })
  await putPostedStatus(ctx.db, target, { ...wanted, posts, is_certain: true })
  const { sha } = target
  const about = { repository_id: repository.id, sha, context, state: wanted.state }
  ctx.log.info(about, 'status was posted')
}

async function shownAt(
  ctx: Context,
  repository: FoundRepository,
  { sha, kind }: StatusTarget,
): Promise<Shown | undefined> {
  const { codehost, ref } = atCodehost(ctx, repository)
  const name = statusContext(kind, ctx.config.statusContext)
  return (await codehost.statuses(ref, sha)).find(({ context }) => context === name)
}

function statusFor(
  { config }: Context,
  repository: FoundRepository,
  { state, text, about, request: { build } }: ShownStatus,
): Shown {
  const slug = slugOf(repository)
  return {
    state,
    description: shortened(about === undefined ? text : `${about}: ${text}`),
    target_url: build ? buildUrl(config, slug, build.id) : repositoryUrl(config, slug),
  }
}

/** Where nothing counts, what is shown stays, but a context must not stay pending forever. */
function endOfPending(
  { config }: Context,
  repository: FoundRepository,
  requests: readonly RequestAbout[],
  posted: Shown | undefined,
): Shown | undefined {
  const newest = requests.at(-1)
  if (posted?.state !== 'pending' || !newest) return
  return {
    state: 'error',
    description: shortened(`No build: ${newest.message ?? 'its request was not built'}`),
    target_url: repositoryUrl(config, slugOf(repository)),
  }
}

function isSame(a: Shown, b: Shown): boolean {
  return a.state === b.state && a.description === b.description && a.target_url === b.target_url
}
