import type { Build } from '../../domain/build.ts'
import { type Decision, isSkippedOnPurpose } from '../../domain/decision.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request.ts'
import { findCommit, insertCommit } from '../../store/commits.ts'
import { announce } from '../../store/outbox.ts'
import { storeRawConfigs } from '../../store/raw-configs.ts'
import {
  lockUndecidedRequest,
  replaceMessages,
  updateUndecidedRequest,
} from '../../store/requests.ts'
import { type Database, json } from '../../store/tables.ts'
import { statusStream, streamOfBuild } from '../build/announce-build.ts'
import type { Context } from '../context.ts'
import { createBuild } from '../build/create-build.ts'
import type { BuildPlan } from '../build-file/plan-build.ts'
import type { Settled } from './settle-commit.ts'

interface Rejected {
  request: Request
  repository: Repository
  settled: Settled
  decision: Decision
  /** What the build file says, where it was read. */
  plan?: BuildPlan
}

interface Accepted {
  request: Request
  repository: Repository
  settled: Extract<Settled, { kind: 'settled' }>
  plan: BuildPlan
  checks: Decision['checks']
}

/** Ends a request without a build, and has the code host told where that was on purpose (NT-08). */
export async function rejectRequest(
  ctx: Context,
  { request, repository, settled, decision: { rejection, checks }, plan }: Rejected,
): Promise<void> {
  const sha = request.head_commit ?? (settled.kind === 'settled' ? settled.commit.facts.sha : null)
  const tell =
    sha !== null &&
    rejection !== null &&
    ctx.config.statusForSkipped &&
    isSkippedOnPurpose(rejection.reason)
  const stream = tell ? statusStream(ctx, repository.id, sha, request.event_type) : undefined

  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockUndecidedRequest(tx, request.id))) return
    if (plan) await storeConfig(ctx, tx, request, plan)
    await updateUndecidedRequest(tx, request.id, {
      ...rejection,
      state: 'finished',
      result: 'rejected',
      checks: json(checks),
      commit_id: await commitOf(tx, request, settled),
      mergeable_state: settled.kind === 'wait' ? 'unknown' : settled.mergeable_state,
      finished_at: ctx.now(),
    })
    if (stream) await announce(tx, 'status:skipped', stream, { request_id: request.id })
  })
  ctx.log.info({ request_id: request.id, reason: rejection?.reason }, 'request was rejected')
  if (stream) await ctx.enqueue('outbox.publish', { stream })
}

/** Makes the build of a request, with the request's end in the same transaction (RQ-03). */
export async function makeBuild(ctx: Context, given: Accepted): Promise<void> {
  const { request, repository, settled, plan, checks } = given
  const build = await ctx.db.transaction().execute(async (tx): Promise<Build | undefined> => {
    if (!(await lockUndecidedRequest(tx, request.id))) return
    const commit_id = await commitOf(tx, request, settled)
    const commit = commit_id === null ? undefined : await findCommit(tx, commit_id)
    if (!commit) throw new Error(`the commit of request ${request.id} is gone`)

    await storeConfig(ctx, tx, request, plan)
    await updateUndecidedRequest(tx, request.id, {
      state: 'finished',
      result: 'accepted',
      message: null,
      checks: json(checks),
      commit_id: commit.id,
      mergeable_state: settled.mergeable_state,
      finished_at: ctx.now(),
    })
    await announce(tx, 'check:config', checkStream(repository, request, commit.sha), {
      request_id: request.id,
    })
    return createBuild(ctx, tx, { repository, request, commit, plan })
  })
  if (!build) return

  ctx.log.info({ request_id: request.id, build_id: build.id }, 'request was accepted')
  const { owner_id, owner_type } = repository
  await ctx.enqueue('jobs.schedule', { owner_id, owner_type })
  await ctx.enqueue('outbox.publish', { stream: await streamOfBuild(ctx, ctx.db, build) })
  const sha = settled.commit.facts.sha
  await ctx.enqueue('outbox.publish', { stream: checkStream(repository, request, sha) })
}

function checkStream(repository: Repository, { head_commit }: Request, sha: string): string {
  return `check:${repository.id}:${head_commit ?? sha}:config`
}

async function storeConfig(
  ctx: Context,
  tx: Database,
  request: Request,
  { config, messages, raw }: BuildPlan,
): Promise<void> {
  await replaceMessages(tx, request.id, messages)
  await storeRawConfigs(tx, request, raw)
  await updateUndecidedRequest(tx, request.id, {
    state: 'configured',
    config: json(config),
    configured_at: ctx.now(),
  })
}

/** The row of the commit; that of a merge commit is made here, once it is known. */
async function commitOf(tx: Database, request: Request, settled: Settled): Promise<number | null> {
  if (settled.kind !== 'settled') return request.commit_id
  const { id, facts, ref, branch, tag_name, compare_url } = settled.commit
  if (id !== null) return id
  const commit = await insertCommit(tx, {
    sha: facts.sha,
    message: facts.message,
    committed_at: facts.committed_at,
    author_name: facts.author_name,
    author_email: facts.author_email,
    committer_name: facts.committer_name,
    committer_email: facts.committer_email,
    ref,
    branch,
    tag_name,
    compare_url,
    repository_id: request.repository_id,
  })
  return commit.id
}
