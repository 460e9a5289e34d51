import type { Build } from '../../domain/build.ts'
import { notificationsOfBranch } from '../../store/builds.ts'
import type { Database } from '../../store/tables.ts'
import type { NewBuild } from '../build/create-jobs.ts'

/**
 * Who is told of a build, as the build file says. Whoever sends a pull request from a fork could name
 * anyone in theirs, so that of the branch it is for holds, as of its newest build (NT-28).
 */
export async function notificationsOf(
  db: Database,
  { repository, request, commit, plan }: NewBuild,
): Promise<Build['notifications']> {
  if (!request.from_fork) return plan.plan.notifications
  return (await notificationsOfBranch(db, repository.id, commit.branch)) ?? {}
}
