import type { Git } from './git.ts'
import type { LocalDatabase } from './tables.ts'

/** What the code host on this machine works with. */
export interface Local {
  db: LocalDatabase
  git: Git
  /** Login of the one user there is, who also owns what is registered without an owner. */
  owner: string
}
