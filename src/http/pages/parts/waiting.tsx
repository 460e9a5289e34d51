import type { Job } from '../../../domain/job/job.ts'
import { waitingReasons } from '../../waiting-reasons.ts'

/** Why a job does not run yet. */
export function Waiting({ job, position }: { job: Job; position: number | undefined }) {
  const reasons = waitingReasons(job, position)
  if (reasons.length === 0) return null
  return <p class="reasons">{reasons.join(' ')}</p>
}
