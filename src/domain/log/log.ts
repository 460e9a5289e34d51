/** One piece of a job's output. Numbers count from 1 in each attempt; the last part is final. */
export interface LogPart {
  number: number
  content: string
  final: boolean
}

/** Number of the single part that contains a whole log (D6). */
export const wholePart = 0

/** Number for parts that the service itself writes; they come after all of the runner's. */
export const lastPart = 2_147_483_647

export interface Log {
  /** Equal to the job's id (LG-01). */
  id: number
  aggregated_at: Date | null
  archived_at: Date | null
  removed_at: Date | null
  removed_by_id: number | null
  created_at: Date
}
