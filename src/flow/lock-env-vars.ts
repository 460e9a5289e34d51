import type { EnvVarHolder } from '../domain/env-var.ts'
import { holdLock } from '../store/locks.ts'
import type { Database } from '../store/tables.ts'

/** Keeps others from adding variables to the same settings, for the rest of the transaction. */
export async function lockEnvVars(db: Database, holder: EnvVarHolder): Promise<void> {
  const name =
    'repository_id' in holder ? holder.repository_id : `${holder.owner_type}:${holder.owner_id}`
  await holdLock(db, `env_vars:${name}`)
}
