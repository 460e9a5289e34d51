import { isNamed } from '../access/administration.ts'
import { archivedText } from '../domain/archived.ts'
import { ownBranch } from '../domain/commit.ts'
import { isLeftToMaintainers } from '../domain/request/approval.ts'
import { check } from '../domain/request/check.ts'
import { decide, type Decision } from '../domain/request/decision.ts'
import { earlyRules } from '../domain/request/early-rules.ts'
import { type FoundRepository, slugOf } from '../domain/repository.ts'
import { lateChecks } from '../domain/request/overtaken.ts'
import type { Request } from '../domain/request/request.ts'
import type { Settings } from '../domain/settings.ts'
import { findPullRequest } from '../store/pull-requests.ts'
import { type BegunRequest, beginUndecidedRequest } from '../store/requests.ts'
import { conditionData } from './build-file/condition-data.ts'
import type { BuildPlan } from './build-file/plan-build.ts'
import { publicVariables } from './build-file/public-variables.ts'
import { readPlan, type ReadPlanInput } from './build-file/read-plan.ts'
import type { Context } from './context.ts'
import { giveUpRequest } from './give-up-request.ts'
import { acceptWithBuild, rejectRequest } from './request/record-decision.ts'
import { mayBeOfBlocked } from './request/blocked-sender.ts'
import type { CommitLookup, SettledCommit } from './request/commit-lookup.ts'
import { settleCommit } from './request/settle-commit.ts'
import { waitForMerge } from './request/wait-for-merge.ts'
import { nameSecureValues, unnamedValues } from './secrets/name-secure-values.ts'
import { decryptValues } from './secrets/secure-values.ts'

/**
 * Decides on a request: rejects it with a reason, or creates its build. Can be called again for the
 * same request; nothing is created twice. The code host is called outside of any transaction.
 */
export async function acceptRequest(ctx: Context, requestId: number): Promise<void> {
  const begun = await beginUndecidedRequest(ctx.db, requestId, ctx.now())
  if (!begun) return
  const { request, settings, repository } = begun
  if (!repository) return giveUpRequest(ctx, requestId)

  const settled = await settleCommit(ctx, repository, request, begun.commit)
  const sender_blocked = begun.sender_blocked || (await mayBeOfBlocked(ctx, repository, request))
  const early = decideEarly(ctx, { ...begun, sender_blocked }, repository, settled)
  if (early.rejection === null && settled.pull?.merge === 'awaited') {
    return waitForMerge(ctx, request, settled.pull)
  }
  const { commit } = settled
  if (early.rejection || commit === null) {
    await rejectRequest(ctx, { request, settled, decision: early })
    return
  }
  const plan = await planFor(ctx, { repository, request, commit, settings })
  const checks = [...early.checks, ...plan.decision.checks]
  if (plan.decision.rejection) {
    const ofBase = await checksOfBase(ctx, { repository, request, commit, settings }, plan)
    const decision = { ...plan.decision, checks: [...checks, ...ofBase] }
    await rejectRequest(ctx, { request, settled, decision, plan })
    return
  }
  await acceptWithBuild(ctx, { request, repository, settled: { ...settled, commit }, plan, checks })
}

interface Decided {
  repository: FoundRepository
  request: Request
  settings: Settings
}

interface DecidedCommit extends Decided {
  commit: SettledCommit
}

/**
 * Of what a fork's own build file leaves out: whether the file of the base branch leaves it out for the same
 * reason, so that no maintainer need look at it (D51).
 */
async function checksOfBase(ctx: Context, decided: DecidedCommit, { decision }: BuildPlan) {
  const { request } = decided
  const reason = decision.rejection?.reason ?? null
  if (request.base_commit === null || !isLeftToMaintainers({ ...request, reason })) return []
  const ofBase = await planAt(ctx, decided, { sha: request.base_commit, isKnown: true })
  const isSame = ofBase.decision.rejection?.reason === reason
  return [check('base_file', !isSame, { sha: request.base_commit })]
}

async function planFor(ctx: Context, decided: DecidedCommit): Promise<BuildPlan> {
  const { repository, request } = decided
  const plan = await planAt(ctx, decided, { sha: decided.commit.facts.sha })
  // Not even a name is decrypted for a fork.
  const values = request.from_fork ? [] : unnamedValues(plan)
  const decrypt = await decryptValues(ctx, { repository, raw: plan.raw }, values)
  return values.length === 0 ? plan : nameSecureValues(plan, decrypt)
}

/** The plan of a request by the build file of a commit. */
async function planAt(
  ctx: Context,
  { repository, request, commit, settings }: DecidedCommit,
  at: Pick<ReadPlanInput, 'sha' | 'isKnown'>,
): Promise<BuildPlan> {
  const { pull_request_id } = request
  const pull = pull_request_id === null ? undefined : await findPullRequest(ctx.db, pull_request_id)
  const env = await publicVariables(ctx, repository, {
    branch: ownBranch(commit),
    from_fork: request.from_fork,
  })
  const data = conditionData(repository, request, commit, pull, env)
  const event = { branch: commit.branch, data, variables: request.variables }
  return readPlan(ctx, { repository, request, ...at, event, settings })
}

function decideEarly(
  { config }: Context,
  { request, settings, sender_blocked }: BegunRequest,
  repository: FoundRepository,
  settled: CommitLookup,
): Decision {
  const { checks, rejection } = decide(earlyRules, {
    event_type: request.event_type,
    repository: {
      slug: slugOf(repository),
      active: repository.active,
      archived: repository.archived_at === null ? null : archivedText(repository, config),
    },
    owner: { login: repository.owner_name, built: isBuilt(repository, config.owners) },
    settings,
    sender: { login: request.sender_login, blocked: sender_blocked },
    sha: settled.commit?.facts.sha ?? null,
    wanted: wantedBy(request),
    named: settled.named ?? null,
    pull: settled.pull,
    message: settled.message,
  })
  return { checks: [...lateChecks(request), ...checks], rejection }
}

/** What people and crons asked for, who can be wrong about what there is, or a push named. */
function wantedBy({ event_type, ref, after_sha }: Request) {
  return event_type !== 'pull_request' && ref !== null ? { ref, sha: after_sha } : null
}

/** Whether the operator has this owner's repositories built. Those of this machine were added on it. */
function isBuilt({ provider, owner_name: login }: FoundRepository, owners: readonly string[]) {
  if (owners.length === 0 || provider === 'local') return null
  return isNamed({ provider, login }, owners)
}
