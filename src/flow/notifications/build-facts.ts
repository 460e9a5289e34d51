import type { Build, BuildState } from '../../domain/build.ts'
import type { Commit, PullRequest } from '../../domain/commit/commit.ts'
import type { Job } from '../../domain/job/job.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { findBuild } from '../../store/builds/builds.ts'
import { findCommit } from '../../store/commits/commits.ts'
import { findPullRequest } from '../../store/commits/pull-requests.ts'
import { jobsOfBuild } from '../../store/jobs/jobs.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { findRequest } from '../../store/requests/requests.ts'
import type { Database } from '../../store/tables.ts'
import { textOfFailedBuild } from '../failures/failed-build.ts'

/** All facts in a notification of a build. */
export interface BuildFacts {
  build: Build
  repository: FoundRepository
  commit: Commit
  request: Request
  pull: PullRequest | null
  jobs: Job[]
  /** The failure, in one line for the readers of the commit; null if unknown. */
  cause: string | null
}

/** The facts of a build, with this state. Undefined once the build or its repository is deleted. */
export async function findBuildFacts(
  db: Database,
  { build_id, state }: { build_id: number; state: string },
): Promise<BuildFacts | undefined> {
  const found = await findBuild(db, build_id)
  if (!found) return
  const repository = await findRepository(db, { id: found.repository_id })
  const commit = await findCommit(db, found.commit_id)
  const request = await findRequest(db, found.request_id)
  if (!repository || !commit || !request) return
  const { pull_request_id } = found
  const pull = pull_request_id === null ? undefined : await findPullRequest(db, pull_request_id)
  const jobs = await jobsOfBuild(db, build_id)
  const build = { ...found, state: state as BuildState }
  const cause = await textOfFailedBuild(db, repository, build_id, longestCause)
  return { build, repository, commit, request, pull: pull ?? null, jobs, cause: cause ?? null }
}

const longestCause = 300
