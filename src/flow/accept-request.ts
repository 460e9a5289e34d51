import { decide, type Decision } from '../domain/decision.ts'
import { earlyRules } from '../domain/early-rules.ts'
import { type Repository, slugOf } from '../domain/repository.ts'
import type { Request } from '../domain/request.ts'
import { timeOf } from '../store/age.ts'
import { findPullRequest } from '../store/pull-requests.ts'
import { findRepository } from '../store/repositories.ts'
import { beginUndecidedRequest } from '../store/requests.ts'
import { settingsOf } from '../store/settings.ts'
import { findUser } from '../store/users.ts'
import { conditionData } from './build-file/condition-data.ts'
import type { BuildPlan } from './build-file/plan-build.ts'
import { readPlan } from './build-file/read-plan.ts'
import type { Context } from './context.ts'
import { giveUpRequest } from './give-up-request.ts'
import { acceptWithBuild, rejectRequest } from './request/record-decision.ts'
import type { CommitLookup, SettledCommit } from './request/commit-lookup.ts'
import { settleCommit } from './request/settle-commit.ts'
import { waitForMerge } from './request/wait-for-merge.ts'

/** Milliseconds that a request waits for an unreachable code host. */
const longestWait = 12 * 60 * 60_000

/**
 * Decides on a request: rejects it with a reason, or creates its build. Can be called again for the
 * same request; nothing is created twice. The code host is called outside of any transaction.
 */
export async function acceptRequest(ctx: Context, requestId: number): Promise<void> {
  const request = await beginUndecidedRequest(ctx.db, requestId, ctx.now())
  if (!request) return
  const repository = await findRepository(ctx.db, { id: request.repository_id })
  if (!repository) return giveUpRequest(ctx, requestId)

  const settled = await settleCommit(ctx, repository, request)
  const early = await decideEarly(ctx, repository, request, settled)
  if (early.rejection === null && settled.pull?.merge === 'awaited') {
    return waitForMerge(ctx, repository, request, settled.pull)
  }
  const { commit } = settled
  if (early.rejection || commit === null) {
    await rejectRequest(ctx, { request, repository, settled, decision: early })
    return
  }
  const plan = await planFor(ctx, repository, request, commit)
  const checks = [...early.checks, ...plan.decision.checks]
  if (plan.decision.rejection) {
    const decision = { ...plan.decision, checks }
    await rejectRequest(ctx, { request, repository, settled, decision, plan })
    return
  }
  await acceptWithBuild(ctx, { request, repository, settled, plan, checks })
}

async function planFor(
  ctx: Context,
  repository: Repository,
  request: Request,
  commit: SettledCommit,
): Promise<BuildPlan> {
  const { pull_request_id, created_at } = request
  const pull = pull_request_id === null ? undefined : await findPullRequest(ctx.db, pull_request_id)
  const data = conditionData(repository, request, commit, pull)
  const { sha } = commit.facts
  const now = await timeOf(ctx.db)
  const canWait = now.getTime() - created_at.getTime() < longestWait
  const settings = await settingsOf(ctx.db, repository.id)
  const event = { branch: commit.branch, data }
  return readPlan(ctx, { repository, request, sha, event, settings, canWait })
}

async function decideEarly(
  ctx: Context,
  repository: Repository,
  request: Request,
  settled: CommitLookup,
): Promise<Decision> {
  const sender = request.sender_id === null ? undefined : await findUser(ctx.db, request.sender_id)
  return decide(earlyRules, {
    event_type: request.event_type,
    repository: { slug: slugOf(repository), active: repository.active },
    settings: await settingsOf(ctx.db, repository.id),
    sender: { login: request.sender_login, blocked: (sender?.blocked_at ?? null) !== null },
    sha: settled.commit?.facts.sha ?? null,
    pull: settled.pull,
    message: settled.message,
  })
}
