import type { Build } from '../../domain/build.ts'
import type { PullRequest } from '../../domain/commit/commit.ts'
import { canceledBecause } from '../../domain/job/cancellation.ts'
import type { Settings } from '../../domain/settings.ts'
import { updateBuild } from '../../store/builds/builds.ts'
import { type BuiltRef, lockWaitingBuilds } from '../../store/builds/canceled-builds.ts'
import { findPullRequest } from '../../store/commits/pull-requests.ts'
import { lockOpenJobs } from '../../store/jobs/waiting-jobs.ts'
import { holdLock } from '../../store/sql/locks.ts'
import type { Transaction } from '../transact.ts'
import { cancelInBuild } from './cancel-in-build.ts'
import type { NewBuild } from './create-jobs.ts'

/** The older builds that a new build is to cancel, which are locked, and the reason. */
export interface OlderBuilds {
  builds: readonly Build[]
  ref: string
  setting: AutoCancel
}

type AutoCancel = 'auto_cancel_pushes' | 'auto_cancel_pull_requests'

const none: OlderBuilds = { builds: [], ref: '', setting: 'auto_cancel_pushes' }

/**
 * Locks the waiting builds of the same branch or pull request, if the repository's settings let a newer build
 * cancel them (ST-51). Must be called before the new build gets its number, which locks the repository: a job
 * that starts locks its build first.
 */
export async function holdOlderBuilds(
  tx: Transaction,
  { repository, request, commit }: Pick<NewBuild, 'repository' | 'request' | 'commit'>,
  settings: Settings,
): Promise<OlderBuilds> {
  const of = { repository_id: repository.id, request_id: request.id }
  if (request.event_type === 'pull_request' && settings.auto_cancel_pull_requests) {
    const { pull_request_id, ref } = request
    if (pull_request_id === null) return none
    const pull = await findPullRequest(tx.db, pull_request_id)
    const builds = await hold(tx, { ...of, pull_request_id, ref })
    return { builds, ref: pullName(pull), setting: 'auto_cancel_pull_requests' }
  }
  // A late push is older than the builds that exist.
  if (request.event_type !== 'push' || request.overtaken_by !== null) return none
  if (!settings.auto_cancel_pushes) return none
  const { branch, tag_name } = commit
  const builds = await hold(tx, { ...of, branch, is_tag: tag_name !== null })
  const ref = tag_name === null ? `branch ${branch}` : `tag ${tag_name}`
  return { builds, ref, setting: 'auto_cancel_pushes' }
}

const pullName = (pull: Pick<PullRequest, 'number'> | undefined) =>
  `pull request ${pull?.number ?? ''}`.trim()

/** Locks the waiting builds, for one new build of a repository at a time, so that each sees earlier ones. */
async function hold(tx: Transaction, of: BuiltRef): Promise<Build[]> {
  await holdLock(tx.db, `auto-cancel:${of.repository_id}`)
  return lockWaitingBuilds(tx.db, of)
}

/** Cancels the locked older builds, except builds of which a runner has already claimed a job (ST-54). */
export async function cancelOlderBuilds(
  tx: Transaction,
  { builds, ref, setting }: OlderBuilds,
  newer: Pick<Build, 'number'>,
): Promise<void> {
  const by = canceledBecause(`build #${newer.number} of ${ref} is newer (setting ${setting})`)
  for (const older of builds) {
    const jobs = await lockOpenJobs(tx.db, older.id)
    if (jobs.some(({ state }) => state === 'received' || state === 'started')) continue
    await updateBuild(tx.db, older.id, { auto_canceled: true })
    await cancelInBuild(
      tx,
      { ...older, auto_canceled: true },
      jobs.map(({ id }) => id),
      by,
    )
  }
}
