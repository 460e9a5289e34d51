import { jobRights } from '../../../access/build-rights.ts'
import type { Job } from '../../../domain/job.ts'
import { findBuild } from '../../../store/builds.ts'
import { findCommit } from '../../../store/commits.ts'
import { findJob } from '../../../store/jobs.ts'
import { findRequest } from '../../../store/requests.ts'
import type { Database } from '../../../store/tables.ts'
import { type Call, get } from '../../endpoint.ts'
import { findRecord } from '../../find-record.ts'
import { presentSingleCommit } from '../present/commit.ts'
import { presentJob } from '../present/job.ts'
import { refusals } from '../refusals.ts'

/** The steps shared by every V2.1 endpoint for one job. */
export const oneJob = {
  type: 'job',
  find: ({ ctx, viewer, params }: Call) => findRecord(ctx.db, viewer, params.job, findJob),
  rights: jobRights,
}

export const jobEndpoints = [
  get('/jobs/:job', {
    ...oneJob,
    right: 'read',
    async act({ ctx: { db } }, job) {
      const commit = (await findCommit(db, job.commit_id)) ?? null
      return { job, commit, from_fork: await isFromFork(db, job) }
    },
    present: ({ job, commit, from_fork }) => ({
      job: presentJob(job, job.repository, from_fork),
      commit: presentSingleCommit(commit, job.repository),
    }),
    missing: ({ params }) => refusals.notFoundObject(`The job(${params.job}) couldn't be found`),
  }),
]

async function isFromFork(db: Database, job: Job): Promise<boolean> {
  const build = await findBuild(db, job.build_id)
  const request = build && (await findRequest(db, build.request_id))
  return request?.from_fork ?? true
}
