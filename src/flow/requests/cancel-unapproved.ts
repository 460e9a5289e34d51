import { canceledBecause } from '../../domain/job/cancellation.ts'
import { lockBuild, updateBuild } from '../../store/builds/builds.ts'
import { jobsOfBuild } from '../../store/jobs/jobs.ts'
import { cancelInBuild } from '../builds/cancel-in-build.ts'
import type { Transaction } from '../transact.ts'

/** Why a fork's build is canceled when its pull request gets another head. */
export const otherHead = 'the pull request, which comes from a fork, has another head'

/** Cancels the jobs of a build that can no longer be approved, except those that have started. */
export async function cancelUnapproved(
  tx: Transaction,
  buildId: number,
  why: string,
): Promise<void> {
  const build = await lockBuild(tx.db, buildId)
  if (!build) return
  await updateBuild(tx.db, buildId, { waits_for_approval: true })
  const jobs = await jobsOfBuild(tx.db, buildId)
  await cancelInBuild(
    tx,
    { ...build, waits_for_approval: true },
    jobs.filter(({ state }) => state !== 'started').map(({ id }) => id),
    canceledBecause(why),
  )
}
