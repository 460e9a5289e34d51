import type { Actor } from '../domain/audit.ts'
import type { Job } from '../domain/job/job.ts'
import { lockBuild } from '../store/builds.ts'
import { jobsOfBuild } from '../store/jobs.ts'
import { audit } from './audit.ts'
import { cancelInBuild } from './build/cancel-in-build.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/** Cancels all unfinished jobs of a build at once, and returns them: none if there was none. */
export function cancelBuild(ctx: Context, by: Actor, buildId: number): Promise<Job[]> {
  return transact(ctx, async (tx) => {
    const build = await lockBuild(tx.db, buildId)
    if (!build) return []
    const jobs = await jobsOfBuild(tx.db, buildId)
    const canceled = await cancelInBuild(
      tx,
      build,
      jobs.map(({ id }) => id),
    )
    if (canceled.length > 0) {
      await audit(tx, by, {
        action: 'cancel',
        subject_type: 'build',
        subject_id: buildId,
        changed: { jobs: canceled.map(({ id }) => id) },
      })
    }
    return canceled
  })
}
