import type { Actor } from '../domain/audit.ts'
import { type Build, isRestartable } from '../domain/build.ts'
import { isFinished } from '../domain/job/job.ts'
import { lockBuild } from '../store/builds.ts'
import { jobsOfBuild } from '../store/jobs.ts'
import { audit } from './audit.ts'
import { processAgain } from './build/process-again.ts'
import { refuseOfArchived } from './build/refuse-of-archived.ts'
import { refuseOfBlocked } from './build/refuse-of-blocked.ts'
import { restartInBuild } from './build/restart-in-build.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/**
 * Has all jobs of a finished build run again, or `only` those that did not pass; those that may fail
 * and still run go on. Undefined when the build has not finished, has a build file that cannot be used,
 * or has no such jobs. Throws where its repository is archived, or someone who is blocked caused it.
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
