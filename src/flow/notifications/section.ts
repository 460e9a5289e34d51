import type { Build } from '../../domain/build.ts'
import { notificationsOfBranch } from '../../store/builds/builds.ts'
import type { Database } from '../../store/tables.ts'
import type { NewBuild } from '../builds/create-jobs.ts'

/**
 * The `notifications` section that applies to a build. The author of a fork's pull request could name anyone
 * in their build file, so the section of the base branch applies, as of its newest build (NT-28).
 */
export async function notificationsOf(
  db: Database,
  { repository, request, commit, plan }: NewBuild,
): Promise<Build['notifications']> {
  if (!request.from_fork) return plan.plan.notifications
  return (await notificationsOfBranch(db, repository.id, commit.branch)) ?? {}
}
