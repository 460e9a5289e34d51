import type { Draft } from '../drafts/draft.ts'

/** Why a job is not built. Entries are numbered from 0. */
export type DropCause =
  | { kind: 'excluded'; entry: number }
  | { kind: 'condition'; condition: unknown }
  | { kind: 'stage'; entry: number; stage: string; condition: unknown }
  | { kind: 'duplicate'; of: Draft }
  /** The job was the only one of the matrix, and there are included jobs. */
  | { kind: 'replaced' }

export interface Dropped {
  draft: Draft
  why: DropCause
}
