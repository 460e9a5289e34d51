import { completeLogs } from '../../../store/jobs/logs.ts'
import type { Models, View } from '../core/resource.ts'
import { loader } from '../render/loader.ts'

const isComplete = loader<number, boolean>(
  (jobId) => jobId,
  async ({ ctx }, jobIds) => {
    const complete = await completeLogs(ctx.db, jobIds)
    return jobIds.map((id) => complete.has(id))
  },
)

/** Whether the log of each of these jobs is complete. */
export function areLogsComplete(
  view: View,
  jobs: readonly Models['job'][],
): Promise<boolean[]> | boolean[] {
  return isComplete(
    view,
    jobs.map(({ id }) => id),
  )
}
