import type { Commit } from '../../domain/commit/commit.ts'
import type { Merge, MovedHead } from '../../domain/commit/merge.ts'
import type { CommitFacts } from '../../domain/event.ts'

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
  /** Null if no commit was found, or none yet. */
  commit: SettledCommit | null
  /** Message of the pushed commit, or of a pull request's head; empty if unknown. */
  message: string
  /** Null if the request is not about a pull request. */
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
    /** The base branch; null if the pull request no longer exists. */
    base: string | null
    /** The commit at the tip of the base branch. */
    base_commit: string | null
    /** The commit of the base that the merge commit was made with; null without a merge commit. */
    into: string | null
    /** The request's message while it waits. */
    waiting: string
    /** When the code host changed it last; null if it does not report that. */
    changed_at: Date | null
  }
}
