import type { JobRun } from '../../src/domain/failure/job-run.ts'
import type { RunInputs } from '../../src/domain/failure/outside.ts'
import type { Job } from '../../src/domain/job/job.ts'
import { insertRun } from '../../src/store/jobs/job-runs.ts'
import type { Database } from '../../src/store/tables.ts'
import { noon } from './context.ts'

export const runInputs: RunInputs = {
  definition: 'd',
  versions: {},
  image: null,
  image_id: null,
  runner: 'one',
  event: 'push',
  variables: {},
  imports: {},
}

/** Stores a run of a job: one that ended by itself, at noon, with the job's state. */
export async function addRun(
  db: Database,
  job: Job,
  { ended_at = noon, ...given }: Partial<JobRun> = {},
): Promise<void> {
  const { id: job_id, repository_id, attempt } = job
  const state = job.state === 'passed' ? 'passed' : 'failed'
  await insertRun(
    db,
    {
      ...{ job_id, repository_id, attempt, job_key: 'key', branch: 'main', pull_request_id: null },
      ...{ sha: 'a', state, inputs: runInputs, failure: null, outside: null, by_itself: true },
      cause: (given.state ?? state) === 'passed' ? null : 'c',
      ...given,
    },
    null,
  )
  await db
    .updateTable('job_runs')
    .set({ ended_at })
    .where('job_id', '=', job_id)
    .where('attempt', '=', given.attempt ?? attempt)
    .execute()
}
