import type { Build } from '../domain/build.ts'
import {
  decide,
  type Decision,
  earlyRules,
  internalError,
  isSkippedOnPurpose,
  mergeCommitPause,
} from '../domain/decision.ts'
import { type Repository, slugOf } from '../domain/repository.ts'
import type { Request } from '../domain/request.ts'
import { findCommit, insertCommit } from '../store/commits.ts'
import { announce } from '../store/outbox.ts'
import { storeRawConfigs } from '../store/raw-configs.ts'
import { findRepository } from '../store/repositories.ts'
import {
  findRequest,
  lockUndecidedRequest,
  replaceMessages,
  updateUndecidedRequest,
} from '../store/requests.ts'
import { settingsOf } from '../store/settings.ts'
import { type Database, json } from '../store/tables.ts'
import { findUser } from '../store/users.ts'
import { statusStream, streamOfBuild } from './announce-build.ts'
import type { Context } from './context.ts'
import { createBuild } from './create-build.ts'
import { type BuildPlan, planBuild } from './plan-build.ts'
import { readConfig } from './read-config.ts'
import { settleCommit, type Settled } from './settle-commit.ts'

/**
 * Decides on a request: rejects it with a reason, or makes its build. May be called again for the
 * same request; nothing is made twice. Calls to the code host are made outside of any transaction.
 */
export async function acceptRequest(ctx: Context, requestId: number): Promise<void> {
  const request = await takeUp(ctx, requestId)
  if (!request) return
  const repository = await findRepository(ctx.db, { id: request.repository_id })
  if (!repository) return giveUpRequest(ctx, requestId)

  const settled = await settleCommit(ctx, repository, request)
  if (settled.kind === 'wait' && (await waitForMerge(ctx, request))) return

  const early = await decideEarly(ctx, repository, request, settled)
  if (early.rejection || settled.kind !== 'settled') {
    await reject(ctx, request, repository, early, settled)
    return
  }
  const read = await readConfig(ctx, repository, settled.commit.facts.sha)
  const settings = await settingsOf(ctx.db, repository.id)
  const plan = planBuild(read, settled.commit.branch, settings)
  const checks = [...early.checks, ...plan.decision.checks]
  if (plan.decision.rejection) {
    await reject(ctx, request, repository, { ...plan.decision, checks }, settled, plan)
    return
  }
  await accept(ctx, { request, repository, settled, plan, checks })
}

/** The last try has failed: the request ends with a sentence instead of waiting for ever. */
export async function giveUpRequest(ctx: Context, requestId: number): Promise<void> {
  await updateUndecidedRequest(ctx.db, requestId, {
    ...internalError,
    state: 'finished',
    result: 'rejected',
    finished_at: ctx.now(),
  })
}

async function takeUp(ctx: Context, requestId: number): Promise<Request | undefined> {
  const request = await findRequest(ctx.db, requestId)
  if (!request || request.state === 'finished') return
  return updateUndecidedRequest(ctx.db, requestId, {
    state: 'started',
    started_at: request.started_at ?? ctx.now(),
  })
}

/** False when the merge commit was waited for long enough. */
async function waitForMerge(ctx: Context, request: Request): Promise<boolean> {
  const delay = mergeCommitPause(request.waits)
  if (delay === undefined) return false
  await updateUndecidedRequest(ctx.db, request.id, { waits: request.waits + 1 })
  await ctx.enqueue('request.accept', { request_id: request.id }, { delay })
  return true
}

async function decideEarly(
  ctx: Context,
  repository: Repository,
  request: Request,
  settled: Settled,
): Promise<Decision> {
  const sender = request.sender_id === null ? undefined : await findUser(ctx.db, request.sender_id)
  return decide(earlyRules, {
    event_type: request.event_type,
    repository: { slug: slugOf(repository), active: repository.active },
    settings: await settingsOf(ctx.db, repository.id),
    sender: { login: request.sender_login, blocked: (sender?.blocked_at ?? null) !== null },
    sha: settled.kind === 'settled' ? settled.commit.facts.sha : null,
    mergeable_state: settled.kind === 'wait' ? 'unknown' : settled.mergeable_state,
    message: messageOf(settled),
  })
}

function messageOf(settled: Settled): string {
  if (settled.kind === 'wait') return ''
  return settled.kind === 'none' ? settled.message : settled.commit.facts.message
}

async function reject(
  ctx: Context,
  request: Request,
  repository: Repository,
  { rejection, checks }: Decision,
  settled: Settled,
  plan?: BuildPlan,
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

interface Accepted {
  request: Request
  repository: Repository
  settled: Extract<Settled, { kind: 'settled' }>
  plan: BuildPlan
  checks: Decision['checks']
}

async function accept(ctx: Context, given: Accepted): Promise<void> {
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
    ...{ ref, branch, tag_name, compare_url },
    repository_id: request.repository_id,
  })
  return commit.id
}
