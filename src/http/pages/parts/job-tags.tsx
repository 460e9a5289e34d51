import type { Job } from '../../../domain/job/job.ts'

/** Tags for the unusual properties of a job. */
export function JobTags({ job }: { job: Job }) {
  return (
    <>
      {job.allow_failure && (
        <span class="tag" title="Its outcome does not count for the build">
          may fail
        </span>
      )}
      {job.attempt > 1 && job.resets > 0 && <span class="tag">attempt {job.attempt}</span>}
    </>
  )
}
