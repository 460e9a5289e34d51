import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import {
  kindsOfRefs,
  type ShownCommit,
  type StatusKind,
  statusKindsOf,
} from '../../domain/status.ts'
import { commitsOfOtherRefs, hasPostedStatus } from '../../store/commit-statuses.ts'
import { findCommit } from '../../store/commits.ts'
import type { Transaction } from '../transact.ts'
import { buildCheckStream, checkStream, statusStream } from './streams.ts'

/** Has what a commit shows in these contexts derived again, and the check of its build file with them. */
export function announceCommit(
  tx: Transaction,
  { repository_id, sha }: ShownCommit,
  kinds: readonly StatusKind[],
): void {
  announceStatuses(tx, { repository_id, sha }, kinds)
  tx.announce('check:config', checkStream(repository_id, sha), { repository_id, sha })
}

/** The same without the check of its build file, which no change of a build changes. */
export function announceStatuses(
  tx: Transaction,
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

/** The same for the commits that a branch or tag held and other ones were built of as well. */
export async function announceLost(
  tx: Transaction,
  { id: repository_id }: Pick<Repository, 'id'>,
  ref: string,
): Promise<void> {
  for (const sha of await commitsOfOtherRefs(tx.db, repository_id, ref)) {
    announceCommit(tx, { repository_id, sha }, kindsOfRefs)
  }
}

/** The same for a request that was just created, if its commit shows something that it replaces. */
export async function announceUndecided(tx: Transaction, request: RequestOnCommit): Promise<void> {
  const sha = await shaOf(tx, request)
  const { repository_id } = request
  if (!sha || !(await hasPostedStatus(tx.db, { repository_id, sha }))) return
  announceCommit(tx, { repository_id, sha }, statusKindsOf(request))
}

/** The same for the commit of a request: of a pull request its head (NT-03). None where it names none. */
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
