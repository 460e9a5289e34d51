import type { JobState } from './job/job.ts'

export type StageState = Exclude<JobState, 'queued' | 'received'>

export interface Stage {
  id: number
  build_id: number
  /** Position among the stages of the build, counted from 1. */
  number: number
  name: string
  state: StageState
  started_at: Date | null
  finished_at: Date | null
}
