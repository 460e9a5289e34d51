import { jobRights } from '../../../access/build-rights.ts'
import { type JobState, type JobVersion } from '../../../domain/job/job.ts'
import { versionsOfJob } from '../../../store/job-versions.ts'
import { time } from '../../time.ts'
import { integer } from '../../openapi/schema.ts'
import { actionsOf, get } from '../action.ts'
import { collectionOf } from '../collection.ts'
import { oneJob } from '../one-job.ts'
import { listSteps } from '../page-steps.ts'
import { each, type Models, resourceOf } from '../resource.ts'

/** What a job was, or is, in one of its runs. */
type Attempt = Omit<JobVersion, 'job_id' | 'state'> & { state: JobState; job: Models['job'] }

declare module '../resource.ts' {
  interface Models {
    attempt: Attempt
  }
}

const minimal = ['number', 'state'] as const

/** A run of a job, which has no path of its own. Its log is that of the job with its number as `attempt`. */
export const attempt = resourceOf<Attempt>()({
  type: 'attempt',
  rights(viewer, { job }) {
    const { read, write } = jobRights(viewer, job)
    return { read, write }
  },
  permissions: ['read', 'write'],
  representations: {
    minimal,
    standard: [
      ...minimal,
      'created_at',
      'queued_at',
      'received_at',
      'started_at',
      'finished_at',
      'restarted_at',
    ],
  },
  values: {
    created_at: each(({ created_at }) => time(created_at)),
    queued_at: each(({ queued_at }) => time(queued_at)),
    received_at: each(({ received_at }) => time(received_at)),
    started_at: each(({ started_at }) => time(started_at)),
    finished_at: each(({ finished_at }) => time(finished_at)),
    restarted_at: each(({ restarted_at }) => time(restarted_at)),
  },
  types: { number: integer },
})

/** All runs of a job, the current one last. */
export const attempts = collectionOf<Attempt>()({ type: 'attempts', of: attempt })

export const attemptsActions = actionsOf(attempts, {
  find: get(
    '/job/{job.id}/attempts',
    listSteps(
      attempts,
      {
        ...oneJob,
        right: 'read',
        docs: { summary: 'every run of a job, the current one last; not paginated' },
      },
      async ({ ctx }, job) => {
        const before = await versionsOfJob(ctx.db, job.id)
        return [...before, { ...job, number: job.attempt }].map((run) => ({ ...run, job }))
      },
    ),
  ),
})
