import type { ColumnType, Generated, Kysely } from 'kysely'
import type { CommitStatus } from '../../domain/commit/status.ts'
import type { CheckRun } from '../codehost.ts'

export type LocalDatabase = Kysely<LocalTables>

interface Repositories {
  id: Generated<number>
  owner: string
  name: string
  /** The repository's git directory, which all worktrees of a repository share. */
  path: string
  created_at: Generated<Date>
}

/**
 * The last reported state of each ref. A pull request counts as the ref `refs/pull/7/head`, which exists
 * while the pull request is open. The row of a deleted ref remains, with a sha of zeros.
 */
interface Refs {
  repository_id: number
  ref: string
  sha: string
  /** Number of reported changes of the ref, so that no two changes have the same guid. */
  changes: Generated<number>
}

interface Pulls {
  repository_id: number
  number: number
  title: string
  base_ref: string
  head_ref: string
  head_sha: string
  state: Generated<'open' | 'closed'>
  created_at: Generated<Date>
}

interface Statuses extends CommitStatus {
  id: Generated<number>
  repository_id: number
  sha: string
  created_at: Generated<Date>
}

interface CheckRuns {
  id: Generated<number>
  repository_id: number
  head_sha: string
  name: string
  body: ColumnType<CheckRun, string, string>
  created_at: Generated<Date>
  updated_at: ColumnType<Date, never, Date>
}

// Not an interface, because Kysely needs to know that there are no other members.
export type LocalTables = {
  'local_codehost.repositories': Repositories
  'local_codehost.refs': Refs
  'local_codehost.pulls': Pulls
  'local_codehost.statuses': Statuses
  'local_codehost.check_runs': CheckRuns
}
