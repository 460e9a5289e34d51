import { type ShownStatus, statusesOf } from '../../domain/commit/commit-status.ts'
import {
  type CommitStatus,
  meaningOf,
  noBuild,
  type PostedStatus,
  statusContext,
  type StatusKind,
  statusKindsOf,
  type StatusTarget,
} from '../../domain/commit/status.ts'
import { type FoundRepository, slugOf } from '../../domain/repository.ts'
import { type RequestAbout, subjectOf } from '../../domain/request/about.ts'
import { shortened } from '../../domain/text/shortened.ts'
import {
  findPostedStatus,
  putPostedStatus,
  requestsAbout,
} from '../../store/commits/commit-statuses.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import type { Context } from '../context.ts'
import { textOfFailedBuild } from '../failures/failed-build.ts'
import { atCodehost } from '../repositories/at-codehost.ts'
import { buildUrl, repositoryUrl } from './links.ts'

type Shown = Omit<CommitStatus, 'context'>

/** Characters that a code host accepts in a description. */
const longestText = 140

/** Of the 1,000 statuses that a code host accepts per context, the last hundred are for final states. */
const mostPending = 900

/**
 * Derives the current status of a commit's context, and posts it if it differs from the last posted status.
 * `isRetry`: the status of an earlier attempt may have arrived although its response did not.
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
  const stored = await findPosted(ctx, repository, target)
  const isUnclear = isRetry || stored?.is_certain === false
  const context = contextOf(ctx, target)
  const posted = isUnclear ? await shownAt(ctx, repository, target.sha, context) : stored
  const wanted = shown
    ? statusFor(ctx, repository, await withCause(ctx, repository, shown))
    : endOfPending(ctx, repository, { requests, posted, kind: target.kind })
  if (!wanted || (shown?.only === 'late' && !posted)) return
  const posts = stored?.posts ?? 0
  if (posted && isSame(posted, wanted)) {
    const certain = { ...wanted, context, posts, is_certain: true }
    if (isUnclear) await putPostedStatus(ctx.db, target, certain)
    return
  }
  if (posts >= mostPending && wanted.state === 'pending') return
  await post(ctx, repository, target, { ...wanted, context, posts: posts + 1 })
}

const contextOf = ({ config }: Context, { kind }: StatusTarget) =>
  statusContext(kind, config.statusContext)

/**
 * The last status posted to a context. If the operator has changed `STATUS_CONTEXT`, a status pending under
 * the former name is ended there, and does not count for the current name.
 */
async function findPosted(
  ctx: Context,
  repository: FoundRepository,
  target: StatusTarget,
): Promise<PostedStatus | undefined> {
  const stored = await findPostedStatus(ctx.db, target)
  const context = contextOf(ctx, target)
  if (!stored || stored.context === null || stored.context === context) return stored
  const { context: former, target_url, posts } = stored
  const shown = stored.is_certain ? stored : await shownAt(ctx, repository, target.sha, former)
  if (shown?.state === 'pending') {
    const text = `Reported as ${context} since STATUS_CONTEXT was changed`
    const description = shortened(text, longestText)
    const ended = { state: 'error', context: former, description, target_url } as const
    await post(ctx, repository, target, { ...ended, posts: posts + 1 })
  }
  return undefined
}

/** Posts a status: stores it as uncertain before the call, and as certain after the response. */
async function post(
  ctx: Context,
  repository: FoundRepository,
  target: StatusTarget,
  { posts, ...wanted }: Omit<PostedStatus, 'is_certain'> & CommitStatus,
): Promise<void> {
  const { codehost, ref } = atCodehost(ctx, repository)
  await putPostedStatus(ctx.db, target, { ...wanted, posts, is_certain: false })
  await codehost.postStatus(ref, target.sha, wanted)
  await putPostedStatus(ctx.db, target, { ...wanted, posts, is_certain: true })
  const { sha } = target
  const { context, state } = wanted
  const about = { repository_id: repository.id, sha, context, state }
  ctx.log.info(about, 'status was posted')
}

async function shownAt(
  ctx: Context,
  repository: FoundRepository,
  sha: string,
  name: string,
): Promise<Shown | undefined> {
  const { codehost, ref } = atCodehost(ctx, repository)
  return (await codehost.statuses(ref, sha)).find(({ context }) => context === name)
}

/** The status of a failed build names the failure, if it is known. */
async function withCause(
  { db }: Context,
  repository: FoundRepository,
  shown: ShownStatus,
): Promise<ShownStatus> {
  const { build } = shown.request
  if (!build) return shown
  const plain = meaningOf(build.state).text
  if (!shown.text.startsWith(plain)) return shown
  const rest = shown.text.slice(plain.length)
  const prefix = shown.about === undefined ? 0 : shown.about.length + 2
  const longest = longestText - prefix - rest.length
  const text = await textOfFailedBuild(db, repository, build.id, longest)
  return text === undefined ? shown : { ...shown, text: text + rest }
}

function statusFor(
  { config }: Context,
  repository: FoundRepository,
  { state, text, about, request: { build } }: ShownStatus,
): Shown {
  const slug = slugOf(repository)
  return {
    state,
    description: shortened(about === undefined ? text : `${about}: ${text}`, longestText),
    target_url: build ? buildUrl(config, slug, build.id) : repositoryUrl(config, slug),
  }
}

interface Nothing {
  requests: readonly RequestAbout[]
  posted: Shown | undefined
  kind: StatusKind
}

/** If no request counts, the posted status stays, but a pending one is ended, to not last forever. */
function endOfPending(
  { config }: Context,
  repository: FoundRepository,
  { requests, posted, kind }: Nothing,
): Shown | undefined {
  const newest = requests.at(-1)
  if (posted?.state !== 'pending' || !newest) return
  const own = requests.findLast((each) => statusKindsOf(each).includes(kind))
  const reason = own ? (own.message ?? 'its request was not built') : ofOthers(newest, config)
  return {
    state: 'error',
    description: shortened(`${noBuild}: ${reason}`, longestText),
    target_url: repositoryUrl(config, slugOf(repository)),
  }
}

/** Text for requests of other kinds: tags, crons and the API once reported to the context of pushes. */
function ofOthers(newest: RequestAbout, { statusContext: middle }: Context['config']): string {
  const [kind = 'push'] = statusKindsOf(newest)
  return `${subjectOf(newest)} is reported as ${statusContext(kind, middle)}`
}

function isSame(a: Shown, b: Shown): boolean {
  return a.state === b.state && a.description === b.description && a.target_url === b.target_url
}
