import type { Commit } from '../../domain/commit.ts'
import type { CommitFacts } from '../../domain/event.ts'
import type { Merge, MovedHead } from '../../domain/merge.ts'

/** The commit to build, with the columns of its row. */
export interface SettledCommit {
  /** The existing row; null when it is still to be created. */
  row: Commit | null
  facts: CommitFacts
  ref: string
  /** For a pull request the base branch (WH-30), for a tag the tag's name (WH-23). */
  branch: string
  tag_name: string | null
  compare_url: string | null
}

/** The result of looking up the commit to build. */
export interface CommitLookup {
  /** Null as long as there is none. */
  commit: SettledCommit | null
  /** Of the pushed commit, or of the head of a pull request; empty if unknown. */
  message: string
  /** Null for what is no pull request. */
  pull: PullLookup['pull'] | null
  /** The commit that a request names by its id, and whether it is on the ref that it names. */
  named?: NamedCommit
}

export interface NamedCommit {
  sha: string
  ref: string
  on_ref: boolean
}

export interface PullLookup {
  commit: SettledCommit | null
  message: string
  pull: {
    /** The head that the request names, and is about (D35). */
    head: string
    moved: MovedHead | null
    merge: Merge
    mergeable_state: string | null
    /** The branch that it is to be merged into; null where there is no pull request any more. */
    base: string | null
    /** What the request says while it waits. */
    waiting: string
  }
}
