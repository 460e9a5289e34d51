import type { Actor } from '../../domain/audit.ts'
import { type Build, isRestartable } from '../../domain/build.ts'
import { isFinished } from '../../domain/job/job.ts'
import { lockBuild } from '../../store/builds/builds.ts'
import { jobsOfBuild } from '../../store/jobs/jobs.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'
import { processAgain } from './process-again.ts'
import { refuseOfArchived, refuseOfBlocked } from './refuse-restart.ts'
import { restartInBuild } from './restart-in-build.ts'

/**
 * Restarts all jobs of a finished build, or with `only: 'failed'` the jobs that did not pass; jobs that may
 * fail and still run continue. Undefined if the build has not finished, has an unusable build file, or has
 * no such jobs. Throws if its repository is archived, or a blocked user caused the build.
 */
export function restartBuild(
  ctx: Context,
  by: Actor,
  id: number,
  { only = 'all' }: { only?: 'all' | 'failed' } = {},
): Promise<Build | undefined> {
  return transact(ctx, async (tx) => {
    const build = await lockBuild(tx.db, id)
    if (!build || !isRestartable(build)) return
    const finished = (await jobsOfBuild(tx.db, id)).filter(isFinished)
    const jobs = finished.filter(({ state }) => only === 'all' || state !== 'passed')
    if (jobs.length === 0 && only === 'failed') return
    await refuseOfArchived(tx, build)
    await refuseOfBlocked(tx, build)
    if (build.config_error === 'fetch') await processAgain(tx, build, jobs, by)
    else await restartInBuild(tx, build, jobs, by)
    await audit(tx, by, {
      action: 'restart',
      subject_type: 'build',
      subject_id: id,
      changed: { jobs: jobs.map((job) => job.id) },
    })
    return build
  })
}
