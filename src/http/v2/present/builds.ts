import type { BuildWithRecords } from '../listed-builds.ts'
import { presentBuild } from './build.ts'
import { presentCommit } from './commit.ts'
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

/** The commits of a list, each once, by their ids. */
export function presentCommitsOf(listed: readonly BuildWithRecords[]) {
  const commits = new Map(listed.flatMap(({ commit }) => (commit ? [[commit.id, commit]] : [])))
  return [...commits.values()].toSorted((a, b) => a.id - b.id).map(presentCommit)
}
