import type { Build } from '../../domain/build.ts'
import type { Commit } from '../../domain/commit/commit.ts'
import { statusKindsOf } from '../../domain/commit/status.ts'
import type { Repository } from '../../domain/repository.ts'
import { findBranchToBuild, insertBuild, lastOutcomeOfPull } from '../../store/builds/builds.ts'
import { showEndedBuild } from '../../store/jobs/starts.ts'
import {
  keepTag,
  markBranchGone,
  putBranch,
  setLastBuildOfBranch,
  setLastBuildOfTag,
} from '../../store/repositories/branches.ts'
import { takeBuildNumber } from '../../store/repositories/repositories.ts'
import { sideBySide } from '../../store/sql/transaction.ts'
import { type Database, json } from '../../store/tables.ts'
import { notificationsOf } from '../notifications/section.ts'
import type { Transaction } from '../transact.ts'
import { announceBuild } from './announce-build.ts'
import { createJobs, type NewBuild, plannedColumns } from './create-jobs.ts'

/**
 * Creates the build with its stages, jobs and logs, inside the transaction that also decides the
 * request (RQ-03). From an unusable plan, the build is created as finished.
 */
export async function createBuild(tx: Transaction, newBuild: NewBuild): Promise<Build> {
  const { db } = tx
  const { repository, request, commit, approval } = newBuild
  const [number, refs, notifications] = await sideBySide([
    takeBuildNumber(db, repository.id, request.event_type === 'pull_request'),
    refsOf(db, newBuild),
    notificationsOf(db, newBuild),
  ])
  const build = await insertBuild(db, {
    ...refs,
    ...plannedColumns(tx, newBuild),
    notifications: json(notifications),
    repository_id: repository.id,
    request_id: request.id,
    pull_request_id: request.pull_request_id,
    number,
    event_type: request.event_type,
    private: request.private,
    sender_id: request.sender_id,
    created_at: tx.now(),
    updated_at: tx.now(),
  })
  await sideBySide([
    createJobs(tx, newBuild, build),
    request.overtaken_by === null && setLastBuilds(db, repository, build, commit),
    build.state === 'errored' && showEndedBuild(db, { ...build, ...approval }, tx.now()),
  ])
  await announceBuild(tx, build, {
    repository_id: repository.id,
    sha: request.head_commit ?? commit.sha,
    kinds: statusKindsOf(request),
  })
  tx.follow('jobs.schedule', { owner_id: repository.owner_id, owner_type: repository.owner_type })
  return build
}

/** The branch and tag to build, and the final state of the previous build. */
async function refsOf(db: Database, { repository, request, commit }: NewBuild) {
  // For a pull request this is the base branch (D57).
  const known = await findBranchToBuild(db, repository.id, commit.branch)
  const branch = known ?? (await newBranch(db, repository, commit))
  if (request.event_type === 'pull_request') {
    const { pull_request_id, ref } = request
    const of = { pull_request_id: pull_request_id ?? 0, ref }
    const previous_state = await lastOutcomeOfPull(db, of)
    return { ...branch, tag_id: null, previous_state }
  }
  const tag = commit.tag_name === null ? null : await keepTag(db, repository.id, commit.tag_name)
  return { ...branch, tag_id: tag?.id ?? null }
}

/** Creates a branch. For a tag it is a branch of the tag's name, marked as not existing at the code host. */
async function newBranch(db: Database, { id }: Repository, { branch, tag_name }: Commit) {
  const { id: branch_id } = await putBranch(db, id, branch)
  if (tag_name !== null) await markBranchGone(db, id, branch)
  return { branch_id, previous_state: null }
}

/** Stores a push, api or cron build as its branch's last build (ST-29). The caller excludes late pushes. */
async function setLastBuilds(
  db: Database,
  repository: Repository,
  build: Build,
  commit: Commit,
): Promise<void> {
  if (build.tag_id !== null) await setLastBuildOfTag(db, build.tag_id, build.id)
  if (build.branch_id === null || build.event_type === 'pull_request') return
  const isDefault = commit.branch === repository.default_branch_name && commit.tag_name === null
  await setLastBuildOfBranch(db, build.branch_id, build.id, isDefault ? repository.id : null)
}
