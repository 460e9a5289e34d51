import { queuePositions } from '../../store/queue-positions.ts'
import { waitingReasons } from '../waiting-reasons.ts'
import { loader } from './loader.ts'
import type { Models, View } from './resource.ts'

type Job = Models['job']

const positionsIn = loader<number, ReadonlyMap<number, number>>(
  (buildId) => buildId,
  async ({ ctx }, buildIds) => {
    const positions = await queuePositions(ctx.db, buildIds)
    return buildIds.map(() => positions)
  },
)

/** The place in the queue of each of these jobs; null for one that does not wait in one. */
export async function positionsOf(view: View, jobs: readonly Job[]): Promise<(number | null)[]> {
  const waiting = jobs.filter(({ state }) => state === 'created' || state === 'queued')
  const positions = await positionsIn(
    view,
    waiting.map(({ build_id }) => build_id),
  )
  const placed = new Map(waiting.map(({ id }, index) => [id, positions[index]?.get(id)]))
  return jobs.map(({ id }) => placed.get(id) ?? null)
}

/** Why each of them does not run yet, a sentence for each reason; none for one that has started. */
export async function reasonsOf(view: View, jobs: readonly Job[]): Promise<string[][]> {
  const positions = await positionsOf(view, jobs)
  return jobs.map((job, index) => waitingReasons(job, positions[index] ?? undefined))
}
