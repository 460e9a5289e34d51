import { type Decision, isSkippedOnPurpose } from '../../domain/decision.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request.ts'
import { statusKindsOf } from '../../domain/status.ts'
import { findCommit, insertCommit } from '../../store/commits.ts'
import { storeRawConfigs } from '../../store/raw-configs.ts'
import {
  isBuiltForAnother,
  lockUndecidedRequest,
  replaceMessages,
  updateUndecidedRequest,
} from '../../store/requests.ts'
import { type Database, json } from '../../store/tables.ts'
import type { BuildPlan } from '../build-file/plan-build.ts'
import { createBuild } from '../build/create-build.ts'
import type { Context } from '../context.ts'
import { announceStatus } from '../report/announce-status.ts'
import { isRejectionReported } from '../report/rejection-reported.ts'
import { checkStream } from '../report/streams.ts'
import { transact, type Transaction } from '../transact.ts'
import type { CommitLookup } from './commit-lookup.ts'

interface RejectedRequest {
  request: Request
  repository: Repository
  settled: CommitLookup
  decision: Decision
  /** The plan, where the build file was read. */
  plan?: BuildPlan
}

interface AcceptedRequest {
  request: Request
  repository: Repository
  settled: CommitLookup
  plan: BuildPlan
  checks: Decision['checks']
}

/** Ends a request without a build, and notifies the code host where people wait for a result. */
export async function rejectRequest(
  ctx: Context,
  { request, repository, settled, decision: { rejection, checks }, plan }: RejectedRequest,
): Promise<void> {
  const sha = request.head_commit ?? settled.commit?.facts.sha ?? null
  const isReported = rejection !== null && isRejectionReported(ctx, request, rejection, checks)

  await transact(ctx, async (tx) => {
    const { db } = tx
    if (!(await lockUndecidedRequest(db, request.id))) return
    if (plan) await storeConfig(tx, request, plan)
    await updateUndecidedRequest(db, request.id, {
      ...rejection,
      state: 'finished',
      result: 'rejected',
      checks: json(checks),
      commit_id: await commitOf(db, request, settled),
      ...pullColumns(request, settled),
      finished_at: tx.now(),
    })
    if (sha === null) return
    if (plan) await announceCheck(tx, request, sha, plan)
    if (!isReported || (await isAnswered(db, request, sha, rejection))) return
    const to = { repository_id: repository.id, sha, kinds: statusKindsOf(request) }
    await announceStatus(tx, 'status:skipped', to, { request_id: request.id })
  })
  ctx.log.info({ request_id: request.id, reason: rejection?.reason }, 'request was rejected')
}

/** Ends a request and creates its build in the same transaction (RQ-03). */
export async function acceptWithBuild(
  ctx: Context,
  { request, repository, settled, plan, checks }: AcceptedRequest,
): Promise<void> {
  const build = await transact(ctx, async (tx) => {
    const { db } = tx
    if (!(await lockUndecidedRequest(db, request.id))) return
    const commit_id = await commitOf(db, request, settled)
    const commit = commit_id === null ? undefined : await findCommit(db, commit_id)
    if (!commit) throw new Error(`the commit of request ${request.id} is missing`)

    await storeConfig(tx, request, plan)
    await updateUndecidedRequest(db, request.id, {
      state: 'finished',
      result: 'accepted',
      message: null,
      checks: json(checks),
      commit_id: commit.id,
      ...pullColumns(request, settled),
      finished_at: tx.now(),
    })
    await announceCheck(tx, request, request.head_commit ?? commit.sha, plan)
    return createBuild(tx, { repository, request, commit, plan })
  })
  if (build) {
    ctx.log.info({ request_id: request.id, build_id: build.id }, 'request was accepted')
  }
}

/**
 * Whether the head has the result of a build for another pull request: that this one is not built
 * must not make it pass.
 */
async function isAnswered(
  db: Database,
  request: Request,
  sha: string,
  rejection: Decision['rejection'],
): Promise<boolean> {
  if (rejection === null || !isSkippedOnPurpose(rejection.reason)) return false
  return isBuiltForAnother(db, request, sha)
}

/** What was found out about a pull request: an event may have told of another base. */
function pullColumns({ base_ref }: Request, { pull }: CommitLookup) {
  if (pull === null) return {}
  return { mergeable_state: pull.mergeable_state, base_ref: pull.base ?? base_ref }
}

/** Has the check of the build file posted, unless there was no file to say anything about (D38). */
async function announceCheck(
  tx: Transaction,
  { id, repository_id }: Request,
  sha: string,
  { raw, unusable }: BuildPlan,
): Promise<void> {
  if (raw.length === 0 && unusable === null) return
  await tx.announce('check:config', checkStream(repository_id, sha), { request_id: id })
}

async function storeConfig(
  { db, now }: Transaction,
  request: Request,
  { config, messages, raw }: BuildPlan,
): Promise<void> {
  await replaceMessages(db, request.id, messages)
  await storeRawConfigs(db, request, raw)
  await updateUndecidedRequest(db, request.id, {
    state: 'configured',
    config: json(config),
    configured_at: now(),
  })
}

/** The row of the commit; that of a merge commit is created here, once it is known. */
async function commitOf(
  db: Database,
  request: Request,
  settled: CommitLookup,
): Promise<number | null> {
  if (settled.commit === null) return request.commit_id
  const { id, facts, ref, branch, tag_name, compare_url } = settled.commit
  if (id !== null) return id
  const commit = await insertCommit(db, {
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
