import type { BuildWithRecords } from '../listed-builds.ts'
import { presentBuild } from './build.ts'
import { presentJob } from './job.ts'

/** Builds of a list, in its order. */
export function presentBuilds(listed: readonly BuildWithRecords[]) {
  return listed.map(({ build, pull, jobs }) =>
    presentBuild(
      build,
      pull,
      jobs.map(({ id }) => id),
    ),
  )
}

/** The jobs of all builds of a list. */
export function presentJobsOf(listed: readonly BuildWithRecords[]) {
  return listed.flatMap(({ build, jobs, from_fork }) =>
    jobs.map((job) => presentJob(job, build.repository, from_fork)),
  )
}
