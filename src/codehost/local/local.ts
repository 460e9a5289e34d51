import type { Git } from './git.ts'
import type { LocalDatabase } from './tables.ts'

/** What the functions of the local code host need. */
export interface Local {
  db: LocalDatabase
  git: Git
  /** Login of the one local user, who also owns what is registered without an owner. */
  owner: string
}
