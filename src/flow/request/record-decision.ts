import type { Build } from '../../domain/build.ts'
import type { Commit } from '../../domain/commit.ts'
import type { Decision } from '../../domain/request/decision.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { lockPull } from '../../store/approvals.ts'
import { insertCommit } from '../../store/commits.ts'
import { storeRawConfigs } from '../../store/raw-configs.ts'
import { insertMessages } from '../../store/request-messages.ts'
import { lockUndecidedRequest, updateUndecidedRequest } from '../../store/requests.ts'
import { type Database, json } from '../../store/tables.ts'
import { sideBySide } from '../../store/transaction.ts'
import { awaitsApproval } from '../approval/awaits-approval.ts'
import { cancelUnapproved } from '../approval/cancel-unapproved.ts'
import type { BuildPlan } from '../build-file/plan-build.ts'
import { createBuild } from '../build/create-build.ts'
import type { NewBuild } from '../build/create-jobs.ts'
import { endReopened, planAgain } from '../build/process-again.ts'
import type { Context } from '../context.ts'
import { announceRequest } from '../report/announce-commit.ts'
import { transact, type Transaction } from '../transact.ts'
import type { CommitLookup, SettledCommit } from './commit-lookup.ts'

interface RejectedRequest {
  request: Request
  settled: CommitLookup
  decision: Decision
  /** The plan, where the build file was read. */
  plan?: BuildPlan
}

interface AcceptedRequest {
  request: Request
  repository: Repository
  settled: CommitLookup & { commit: SettledCommit }
  plan: BuildPlan
  checks: Decision['checks']
}

/** Ends a request without a build, and has its commit show why. */
export async function rejectRequest(
  ctx: Context,
  { request, settled, decision: { rejection, checks }, plan }: RejectedRequest,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const { db } = tx
    const locked = await lockUndecidedRequest(db, request.id)
    if (!locked) return
    if (plan) await storeFindings(tx, request, plan)
    const commit = settled.commit && (await storeCommit(db, request, settled.commit))
    const rejected = await updateUndecidedRequest(db, request.id, {
      ...(plan && configured(tx, plan)),
      ...rejection,
      state: 'finished',
      result: 'rejected',
      checks: json(checks),
      commit_id: commit?.id ?? request.commit_id,
      ...pullColumns(request, settled),
      finished_at: tx.now(),
    })
    if (!rejected) return
    await endReopened(tx, { ...rejected, configured_at: locked.configured_at })
    await announceRequest(tx, rejected)
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
    if (request.from_fork) await lockPull(db, request.pull_request_id ?? 0)
    // Before a commit is stored; where there is one, the update decides.
    if (!settled.commit.row && !(await lockUndecidedRequest(db, request.id))) return
    const commit = await storeCommit(db, request, settled.commit)
    const decided = await updateUndecidedRequest(db, request.id, {
      ...configured(tx, plan),
      state: 'finished',
      result: 'accepted',
      message: null,
      checks: json(checks),
      commit_id: commit.id,
      ...pullColumns(request, settled),
      finished_at: tx.now(),
    })
    if (!decided) return
    await announceRequest(tx, decided)
    // The repository may have become private since the event came.
    const known = { ...request, private: decided.private }
    const [, build] = await sideBySide([
      storeFindings(tx, request, plan),
      storeBuild(tx, { repository, request: known, commit, plan }),
    ])
    return build
  })
  if (build) {
    ctx.log.info({ request_id: request.id, build_id: build.id }, 'request was accepted')
  }
}

/** Stores the build of an accepted request; undefined if it was decided anew and has ended meanwhile. */
async function storeBuild(
  tx: Transaction,
  accepted: Omit<NewBuild, 'waits'>,
): Promise<Build | undefined> {
  const { request } = accepted
  // The base that is merged into, of which an event may still be to come.
  const base_ref = request.from_fork ? accepted.commit.branch : request.base_ref
  const { waits, superseded } = await awaitsApproval(tx, { ...request, base_ref })
  const store = request.configured_at === null ? createBuild : planAgain
  const build = await store(tx, { ...accepted, waits })
  if (build && superseded) await cancelUnapproved(tx, build.id)
  return build
}

/** What was found out about a pull request: an event may have told of another base. */
function pullColumns({ base_ref }: Request, { pull }: CommitLookup) {
  if (pull === null) return {}
  return { mergeable_state: pull.mergeable_state, base_ref: pull.base ?? base_ref }
}

async function storeFindings(
  { db }: Transaction,
  request: Request,
  { messages, raw }: BuildPlan,
): Promise<void> {
  await sideBySide([insertMessages(db, request.id, messages), storeRawConfigs(db, request, raw)])
}

function configured({ now }: Transaction, { config }: BuildPlan) {
  return { config: json(config), configured_at: now() }
}

/** The row of the commit; that of a merge commit is created here, once it is known. */
async function storeCommit(
  db: Database,
  request: Request,
  { row, facts, ref, branch, tag_name, compare_url }: SettledCommit,
): Promise<Commit> {
  if (row) return row
  return insertCommit(db, {
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
}
