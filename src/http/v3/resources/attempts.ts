import { jobRights } from '../../../access/build-rights.ts'
import type { JobState, JobVersion } from '../../../domain/job/job.ts'
import { time } from '../../../domain/time/api-time.ts'
import { versionsOfJob } from '../../../store/jobs/job-versions.ts'
import { integer } from '../../openapi/schema.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { listSteps } from '../core/page-steps.ts'
import { each, type Models, resourceOf } from '../core/resource.ts'
import { oneJob } from '../records/one-build.ts'

/** The past or current state of a job in one of its attempts. */
type Attempt = Omit<JobVersion, 'job_id' | 'state'> & { state: JobState; job: Models['job'] }

declare module '../core/resource.ts' {
  interface Models {
    attempt: Attempt
  }
}

const minimal = ['number', 'state'] as const

/** A run of a job, without a path of its own. Its log is the job's log with its number as `attempt`. */
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
      'cancel_reason',
      'lost_reason',
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
        docs: { summary: 'all runs of a job, the current one last; not paginated' },
      },
      async ({ ctx }, job) => {
        const before = await versionsOfJob(ctx.db, job.id)
        return [...before, { ...job, number: job.attempt, lost_reason: null }].map((run) => ({
          ...run,
          job,
        }))
      },
    ),
  ),
})
