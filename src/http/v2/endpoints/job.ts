import { jobRights } from '../../../access/build-rights.ts'
import { recordsOfJob } from '../../../store/jobs/job-records.ts'
import { findSeenJob } from '../../../store/repositories/repository-access.ts'
import { type Call, get } from '../../core/endpoint.ts'
import { findKept } from '../../core/path-id.ts'
import { answers } from '../openapi/answers.ts'
import { presentSingleCommit } from '../present/commit.ts'
import { presentJob } from '../present/job.ts'
import { refusals } from '../refusals.ts'

/** The steps shared by every V2.1 endpoint for one job. */
export const oneJob = {
  type: 'job',
  find: (call: Call) => findKept(call, 'job', call.params.job, findSeenJob),
  rights: jobRights,
}

export const jobEndpoints = [
  get('/jobs/:job', {
    ...oneJob,
    right: 'read',
    docs: { summary: 'a job with its commit', schema: answers.job },
    act: async ({ ctx }, job) => ({ job, ...(await recordsOfJob(ctx.db, job)) }),
    present: ({ job, commit, from_fork }) => ({
      job: presentJob(job, job.repository, from_fork),
      commit: presentSingleCommit(commit, job.repository),
    }),
    missing: ({ params }) => refusals.notFoundObject(`The job(${params.job}) couldn't be found`),
  }),
]
