import { lockBuild, updateBuild } from '../../store/builds.ts'
import { jobsOfBuild } from '../../store/jobs.ts'
import { cancelInBuild } from '../build/cancel-in-build.ts'
import type { Transaction } from '../transact.ts'

/** Cancels the jobs of a build that no one can approve any more, except those that have started. */
export async function cancelUnapproved(tx: Transaction, buildId: number): Promise<void> {
  const build = await lockBuild(tx.db, buildId)
  if (!build) return
  await updateBuild(tx.db, buildId, { waits_for_approval: true })
  const jobs = await jobsOfBuild(tx.db, buildId)
  await cancelInBuild(
    tx,
    { ...build, waits_for_approval: true },
    jobs.filter(({ state }) => state !== 'started').map(({ id }) => id),
  )
}
