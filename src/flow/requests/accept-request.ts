import { isNamed } from '../../access/administration.ts'
import { type ConditionData, effortOfBuild } from '../../buildfile/conditions/data.ts'
import { archivedText } from '../../domain/archived.ts'
import { ownBranch, type PullRequest } from '../../domain/commit/commit.ts'
import { mergeDelay, waitsBeforeStatus } from '../../domain/commit/merge.ts'
import { type FoundRepository, slugOf, type Repository } from '../../domain/repository.ts'
import { isLeftToMaintainers } from '../../domain/request/approval.ts'
import { check } from '../../domain/request/check.ts'
import { decide, type Decision, isAtFault } from '../../domain/request/decision.ts'
import { earlyRules } from '../../domain/request/early-rules.ts'
import type { Request } from '../../domain/request/request.ts'
import { lateChecks } from '../../domain/request/superseded-push.ts'
import type { Settings } from '../../domain/settings.ts'
import { findPullRequest } from '../../store/commits/pull-requests.ts'
import {
  type BegunRequest,
  beginUndecidedRequest,
  postponeRequest,
} from '../../store/requests/undecided-requests.ts'
import type { BuildPlan } from '../build-file/plan-build.ts'
import { publicVariables } from '../build-file/public-variables.ts'
import { readPlan, type ReadPlanInput } from '../build-file/read-plan.ts'
import type { Context } from '../context.ts'
import { nameSecureValues, unnamedValues } from '../secrets/name-secure-values.ts'
import { decryptValues } from '../secrets/secure-values.ts'
import { announceRequest } from '../statuses/announce-commit.ts'
import { transact } from '../transact.ts'
import { mayBeOfBlocked } from './blocked-sender.ts'
import type { CommitLookup, SettledCommit, PullLookup } from './commit-lookup.ts'
import { giveUpRequest } from './give-up-request.ts'
import { acceptWithBuild, rejectRequest } from './record-decision.ts'
import { settleCommit } from './settle-commit.ts'

/**
 * Decides on a request: rejects it with a reason, or creates its build. Can be called again for the
 * same request; nothing is created twice. The code host is called outside of any transaction.
 */
export async function acceptRequest(ctx: Context, requestId: number): Promise<void> {
  const begun = await beginUndecidedRequest(ctx.db, requestId, ctx.now())
  if (!begun) return
  const { settings, repository } = begun
  if (!repository) return giveUpRequest(ctx, requestId)

  const settled = await settleCommit(ctx, repository, begun.request, begun.commit)
  const request = intoBase(begun.request, settled)
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
  const pull = await pullOf(ctx, request)
  const decided = { repository, request: fromBase(request, settled), commit, settings, pull }
  const plan = await planFor(ctx, decided)
  const checks = [...early.checks, ...plan.decision.checks]
  if (plan.decision.rejection) {
    const ofBase = await checksOfBase(ctx, decided, plan)
    const decision = { ...plan.decision, checks: [...checks, ...ofBase] }
    await rejectRequest(ctx, { request, settled, decision, read: { plan, pull } })
    return
  }
  await acceptWithBuild(ctx, {
    request,
    repository,
    settled: { ...settled, commit },
    read: { plan, pull },
    settings,
    checks,
  })
}

/** The request with the base that the code host shows, even before the event about that base arrives. */
function intoBase(request: Request, { pull }: CommitLookup): Request {
  if (!pull || pull.base === null || pull.base === request.base_ref) return request
  return { ...request, base_ref: pull.base, base_commit: pull.base_commit }
}

/**
 * The request with the commit of the base that is built with its head. Events name the commit where the base
 * was when the head was pushed, whose build file may be an old one.
 */
function fromBase(request: Request, { pull }: CommitLookup): Request {
  return pull?.into ? { ...request, base_commit: pull.into } : request
}

interface Decided {
  repository: FoundRepository
  request: Request
  settings: Settings
}

interface DecidedCommit extends Decided {
  commit: SettledCommit
  pull: PullRequest | undefined
}

async function pullOf({ db }: Context, { pull_request_id }: Request) {
  return pull_request_id === null ? undefined : findPullRequest(db, pull_request_id)
}

/**
 * For a request that a fork's own build file rejects: checks whether the file of the base branch rejects it
 * for the same reason, so that no maintainer need look at it (D51).
 */
async function checksOfBase(ctx: Context, decided: DecidedCommit, { decision }: BuildPlan) {
  const { request } = decided
  const reason = decision.rejection?.reason ?? null
  if (request.base_commit === null || !isLeftToMaintainers({ ...request, reason })) return []
  const ofBase = await planAt(ctx, decided, { sha: request.base_commit, isKnown: true })
  const { rejection, checks } = ofBase.decision
  const isSame = rejection?.reason === reason && !isAtFault(checks)
  return [check('base_file', !isSame, { sha: request.base_commit })]
}

async function planFor(ctx: Context, decided: DecidedCommit): Promise<BuildPlan> {
  const { repository, request } = decided
  const plan = await planAt(ctx, decided, { sha: decided.commit.facts.sha })
  // For a fork, not even variable names are decrypted.
  const values = request.from_fork ? [] : unnamedValues(plan)
  const decrypt = await decryptValues(ctx, { repository, raw: plan.raw }, values)
  return values.length === 0 ? plan : nameSecureValues(plan, decrypt)
}

/** The plan of a request according to a commit's build file. */
async function planAt(
  ctx: Context,
  { repository, request, commit, settings, pull }: DecidedCommit,
  at: Pick<ReadPlanInput, 'sha' | 'isKnown'>,
): Promise<BuildPlan> {
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

/** The ref and commit that an API request, cron or push names; they may not exist. */
function wantedBy({ event_type, ref, after_sha }: Request) {
  return event_type !== 'pull_request' && ref !== null ? { ref, sha: after_sha } : null
}

/** Whether `owners` allows builds of this owner; null if the list is empty or the repository is local. */
function isBuilt({ provider, owner_name: login }: FoundRepository, owners: readonly string[]) {
  if (owners.length === 0 || provider === 'local') return null
  return isNamed({ provider, login }, owners)
}

/** The data that the conditions of a build file are evaluated with. */
function conditionData(
  repository: Repository,
  request: Request,
  commit: SettledCommit,
  pull: PullRequest | undefined,
  env: NonNullable<ConditionData['env']>,
): ConditionData {
  const slug = slugOf(repository)
  return {
    type: request.event_type,
    repo: slug,
    branch: commit.branch,
    tag: commit.tag_name,
    commit_message: commit.facts.message,
    sender: request.sender_login,
    // Whether the repository being built is a fork, not whether the pull request comes from one.
    fork: repository.fork,
    draft: pull?.draft ?? false,
    head_repo: pull ? pull.head_slug : slug,
    head_branch: pull ? pull.head_ref : commit.branch,
    env,
    effort: effortOfBuild(),
  }
}

/** Postpones the lookup of the merge commit. The request shows that, and after a while a status does. */
async function waitForMerge(
  ctx: Context,
  request: Request,
  { waiting }: PullLookup['pull'],
): Promise<void> {
  const seconds = mergeDelay(request.waits)
  await transact(ctx, async (tx) => {
    if (!(await postponeRequest(tx.db, request, { seconds, message: waiting }))) return
    tx.follow('request.accept', { request_id: request.id }, seconds * 1000)
    if (request.waits === waitsBeforeStatus) await announceRequest(tx, request)
  })
}
