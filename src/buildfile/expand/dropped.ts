import type { Draft } from './drafts/draft.ts'

/** Why a job is not built. Entries are numbered from 0. */
export type DropCause =
  | { kind: 'excluded'; entry: number }
  | { kind: 'condition'; condition: unknown }
  | { kind: 'stage'; entry: number; stage: string; condition: unknown }
  | { kind: 'duplicate'; of: Draft }
  /** It was the one job of the matrix, and there are included ones. */
  | { kind: 'replaced' }

export interface Dropped {
  draft: Draft
  why: DropCause
}
