import type { Job } from '../../../domain/job/job.ts'
import { waitingReasons } from '../../../texts/waiting-reasons.ts'

/** Why a job does not run yet, or the reason for its cancellation. */
export function Waiting({ job, position }: { job: Job; position: number | undefined }) {
  if (job.state === 'canceled' && job.cancel_reason !== null) {
    return (
      <p class="reasons">
        <bdi>It was {job.cancel_reason}.</bdi>
      </p>
    )
  }
  const reasons = waitingReasons(job, position)
  if (reasons.length === 0) return null
  return <p class="reasons">{reasons.join(' ')}</p>
}
