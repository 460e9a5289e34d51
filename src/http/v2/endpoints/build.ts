import { buildRights } from '../../../access/build-rights.ts'
import type { Build } from '../../../domain/build.ts'
import { findBuild } from '../../../store/builds.ts'
import { findCommit } from '../../../store/commits.ts'
import { jobsOfBuild } from '../../../store/jobs.ts'
import { findPullRequest } from '../../../store/pull-requests.ts'
import { findRequest } from '../../../store/requests.ts'
import type { Database } from '../../../store/tables.ts'
import { get } from '../../endpoint.ts'
import { findRecord, type InRepository } from '../../find-record.ts'
import { presentBuild } from '../present/build.ts'
import { presentCommit, presentSingleCommit } from '../present/commit.ts'
import { presentJob } from '../present/job.ts'

export const buildEndpoints = [
  get('/builds/:build', {
    type: 'build',
    find: ({ ctx, viewer, params }) => findRecord(ctx.db, viewer, params.build, findBuild),
    rights: buildRights,
    right: 'read',
    act: ({ ctx }, build) => withRecords(ctx.db, build),
    present({ build, commit, pull, jobs, from_fork }) {
      const ids = jobs.map(({ id }) => id)
      return {
        build: presentBuild(build, pull, ids),
        commit: presentSingleCommit(commit, build.repository),
        jobs: jobs.map((job) => presentJob(job, build.repository, from_fork)),
        commits: commit ? [presentCommit(commit)] : [],
      }
    },
  }),
]

async function withRecords(db: Database, build: InRepository<Build>) {
  const [commit, jobs, pull, request] = await Promise.all([
    findCommit(db, build.commit_id),
    jobsOfBuild(db, build.id),
    build.pull_request_id === null ? undefined : findPullRequest(db, build.pull_request_id),
    findRequest(db, build.request_id),
  ])
  return {
    build,
    commit: commit ?? null,
    pull: pull ?? null,
    jobs,
    from_fork: request?.from_fork ?? true,
  }
}
