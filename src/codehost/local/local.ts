import type { Git } from './git.ts'
import type { LocalDatabase } from './tables.ts'

/** Dependencies of the local code host's functions. */
export interface Local {
  db: LocalDatabase
  git: Git
  /** Login of the only local user, who also owns repositories registered without an owner. */
  owner: string
}
