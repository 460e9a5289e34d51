import { ServiceError } from '../domain/errors.ts'
import { type EnvVarKey, isEnvVarTaken } from '../store/env-vars.ts'
import { holdLock } from '../store/locks.ts'
import type { Database } from '../store/tables.ts'

/**
 * Throws if the holder of a variable has another one of this name for the same branch. The transaction
 * then keeps others from making one.
 */
export async function refuseTakenEnvVar(db: Database, variable: EnvVarKey): Promise<void> {
  const holder =
    'repository_id' in variable
      ? variable.repository_id
      : `${variable.owner_type}:${variable.owner_id}`
  await holdLock(db, `env_vars:${holder}`)
  if (!(await isEnvVarTaken(db, variable))) return
  const branch = variable.branch === null ? 'all branches' : `branch ${variable.branch}`
  const message = `there is a variable ${variable.name} for ${branch} already`
  throw new ServiceError('duplicate_resource', message)
}
