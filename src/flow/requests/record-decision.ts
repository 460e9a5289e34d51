import type { Build } from '../../domain/build.ts'
import type { Commit, PullRequest } from '../../domain/commit/commit.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Decision } from '../../domain/request/decision.ts'
import type { Request } from '../../domain/request/request.ts'
import type { Settings } from '../../domain/settings.ts'
import { insertCommit } from '../../store/commits/commits.ts'
import { closePull } from '../../store/commits/pull-requests.ts'
import { lockPull } from '../../store/requests/approvals.ts'
import { storeRawConfigs } from '../../store/requests/raw-configs.ts'
import { insertMessages } from '../../store/requests/request-messages.ts'
import {
  lockUndecidedRequest,
  updateUndecidedRequest,
} from '../../store/requests/undecided-requests.ts'
import { sideBySide } from '../../store/sql/transaction.ts'
import { type Database, json } from '../../store/tables.ts'
import type { BuildPlan } from '../build-file/plan-build.ts'
import { cancelOlderBuilds, holdOlderBuilds } from '../builds/cancel-older-builds.ts'
import { createBuild } from '../builds/create-build.ts'
import type { NewBuild } from '../builds/create-jobs.ts'
import { endReopened, planAgain } from '../builds/process-again.ts'
import type { Context } from '../context.ts'
import { announceRequest } from '../statuses/announce-commit.ts'
import { transact, type Transaction } from '../transact.ts'
import { awaitsApproval } from './awaits-approval.ts'
import { cancelUnapproved, otherHead } from './cancel-unapproved.ts'
import type { CommitLookup, SettledCommit } from './commit-lookup.ts'

/** The plan of a build file, and the pull request as it was when the file was read. */
interface ReadFile {
  plan: BuildPlan
  pull: PullRequest | undefined
}

interface RejectedRequest {
  request: Request
  settled: CommitLookup
  decision: Decision
  /** Set if the build file was read. */
  read?: ReadFile
}

interface AcceptedRequest {
  request: Request
  repository: Repository
  settled: CommitLookup & { commit: SettledCommit }
  read: ReadFile
  settings: Settings
  checks: Decision['checks']
}

/** Ends a request without a build, and announces the reason at its commit. */
export async function rejectRequest(
  ctx: Context,
  { request, settled, decision: { rejection, checks }, read }: RejectedRequest,
): Promise<void> {
  const plan = read?.plan
  await transact(ctx, async (tx) => {
    const { db } = tx
    if (read && (await isDecidedAnew(tx, request, read))) return
    if (settled.pull?.merge === 'closed') await closePull(db, request, settled.pull)
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
  { request, repository, settled, read, settings, checks }: AcceptedRequest,
): Promise<void> {
  const { plan } = read
  const build = await transact(ctx, async (tx) => {
    const { db } = tx
    if (await isDecidedAnew(tx, request, read)) return
    // The lock precedes storing a new commit; for an existing commit, the update decides.
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
      storeBuild(tx, { repository, request: known, commit, plan }, settings),
    ])
    return build
  })
  if (build) {
    ctx.log.info({ request_id: request.id, build_id: build.id }, 'request was accepted')
  }
}

/**
 * Whether a pull request became a draft, or stopped being a draft, after its build file was read. Conditions can
 * depend on that, so the request is then decided again (WH-38). Otherwise the pull request is locked until the
 * decision is stored.
 */
async function isDecidedAnew(
  tx: Transaction,
  { id: request_id }: Request,
  { pull }: ReadFile,
): Promise<boolean> {
  const now = pull && (await lockPull(tx.db, pull.id))
  if (pull?.draft === now?.draft) return false
  tx.follow('request.accept', { request_id })
  return true
}

/** Stores the build of an accepted request; undefined if an existing build has ended in the meantime. */
async function storeBuild(
  tx: Transaction,
  accepted: Omit<NewBuild, 'approval'>,
  settings: Settings,
): Promise<Build | undefined> {
  const { request } = accepted
  const { superseded, ...approval } = await awaitsApproval(tx, request)
  const newBuild = { ...accepted, approval }
  const build =
    request.configured_at === null
      ? await createNewest(tx, newBuild, settings)
      : await planAgain(tx, newBuild)
  if (build && superseded) await cancelUnapproved(tx, build.id, otherHead)
  return build
}

async function createNewest(
  tx: Transaction,
  newBuild: NewBuild,
  settings: Settings,
): Promise<Build> {
  const older = await holdOlderBuilds(tx, newBuild, settings)
  const build = await createBuild(tx, newBuild)
  await cancelOlderBuilds(tx, older, build)
  return build
}

/** The columns of the looked-up pull request; none for other requests. */
function pullColumns({ base_ref, base_commit }: Request, { pull }: CommitLookup) {
  if (pull === null) return {}
  return { mergeable_state: pull.mergeable_state, base_ref, base_commit }
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

/** The row of the commit; the row of a new commit, such as a merge commit, is created here. */
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
