import {
  kindsOfRefs,
  type ShownCommit,
  type StatusKind,
  statusKindsOf,
  statusContext,
} from '../../domain/commit/status.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { commitsOfOtherRefs, hasPostedStatus } from '../../store/commits/commit-statuses.ts'
import { findCommit } from '../../store/commits/commits.ts'
import type { Context, FlowConfig } from '../context.ts'
import type { Transaction } from '../transact.ts'
import { buildCheckName } from './report-build-check.ts'
import { configCheck } from './report-check.ts'
import { buildCheckStream, checkStream, statusStream } from './streams.ts'

/** The parts of a transaction that announcing needs. */
type Announcing = Pick<Transaction, 'db' | 'announce'> & {
  config: Pick<FlowConfig, 'statusContext' | 'buildCheck'>
}

/** Announces that a commit's statuses of these kinds are to be derived again, with its build file's check. */
export function announceCommit(
  tx: Announcing,
  { repository_id, sha }: ShownCommit,
  kinds: readonly StatusKind[],
): void {
  announceStatuses(tx, { repository_id, sha }, kinds)
  tx.announce('check:config', checkStream(repository_id, sha), { repository_id, sha })
}

/** As `announceCommit`, without the check of the build file: changes of a build do not affect it. */
export function announceStatuses(
  tx: Announcing,
  { repository_id, sha }: ShownCommit,
  kinds: readonly StatusKind[],
): void {
  for (const kind of kinds) {
    const stream = statusStream(tx, repository_id, sha, kind)
    tx.announce('status', stream, { repository_id, sha, kind })
    if (tx.config.buildCheck) {
      const ofBuilds = buildCheckStream(repository_id, sha, kind)
      tx.announce('check:build', ofBuilds, { repository_id, sha, kind })
    }
  }
}

/** As `announceCommit`, for commits that a branch or tag was at and that were also built for other refs. */
export async function announceLost(
  tx: Announcing,
  { id: repository_id }: Pick<Repository, 'id'>,
  ref: string,
): Promise<void> {
  for (const sha of await commitsOfOtherRefs(tx.db, repository_id, ref)) {
    announceCommit(tx, { repository_id, sha }, kindsOfRefs)
  }
}

/** As `announceRequest`, for a new request: only if its commit has a posted status, which it replaces. */
export async function announceUndecided(tx: Transaction, request: RequestOnCommit): Promise<void> {
  const sha = await shaOf(tx, request)
  const { repository_id } = request
  if (!sha || !(await hasPostedStatus(tx.db, { repository_id, sha }))) return
  announceCommit(tx, { repository_id, sha }, statusKindsOf(request))
}

/** As `announceCommit`, for a request's commit, if any: for a pull request its head (NT-03). */
export async function announceRequest(tx: Transaction, request: RequestOnCommit): Promise<void> {
  const sha = await shaOf(tx, request)
  const { repository_id } = request
  if (sha) announceCommit(tx, { repository_id, sha }, statusKindsOf(request))
}

type RequestOnCommit = Pick<
  Request,
  'repository_id' | 'event_type' | 'ref' | 'head_commit' | 'commit_id'
>

async function shaOf({ db }: Transaction, { head_commit, commit_id }: RequestOnCommit) {
  return head_commit ?? (commit_id && (await findCommit(db, commit_id))?.sha)
}

/** The statuses and checks that a request reports on its commit: their code host names by stream. */
export function reportsOfCommit(
  { config }: Pick<Context, 'config'>,
  request: Pick<Request, 'repository_id' | 'event_type' | 'ref'>,
  sha: string,
): ReadonlyMap<string, string> {
  const id = request.repository_id
  const ofKinds = statusKindsOf(request).flatMap(
    (kind) =>
      [
        [
          statusStream({ config }, id, sha, kind),
          `status ${statusContext(kind, config.statusContext)}`,
        ],
        [buildCheckStream(id, sha, kind), `check ${buildCheckName(kind, config)}`],
      ] as const,
  )
  return new Map([...ofKinds, [checkStream(id, sha), `check ${configCheck}`]])
}
