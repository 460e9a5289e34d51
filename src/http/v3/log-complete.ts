import { completeLogs } from '../../store/logs.ts'
import { loader } from './loader.ts'
import type { Models, View } from './resource.ts'

const isComplete = loader<number, boolean>(
  (jobId) => jobId,
  async ({ ctx }, jobIds) => {
    const complete = await completeLogs(ctx.db, jobIds)
    return jobIds.map((id) => complete.has(id))
  },
)

/** Whether nothing more comes to the log of each of these jobs. */
export function areLogsComplete(
  view: View,
  jobs: readonly Models['job'][],
): Promise<boolean[]> | boolean[] {
  return isComplete(
    view,
    jobs.map(({ id }) => id),
  )
}
