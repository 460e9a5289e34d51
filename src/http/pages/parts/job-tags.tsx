import type { Job } from '../../../domain/job/job.ts'

/** What is out of the ordinary about a job. */
export function JobTags({ job }: { job: Job }) {
  return (
    <>
      {job.allow_failure && (
        <span class="tag" title="Its outcome does not count for the build">
          may fail
        </span>
      )}
      {job.attempt > 1 && job.resets > 0 && <span class="tag">run {job.attempt}</span>}
      {job.canceled_by_stage && <span class="tag">an earlier stage did not pass</span>}
    </>
  )
}
