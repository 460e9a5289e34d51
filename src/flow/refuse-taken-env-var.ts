import { ServiceError } from '../domain/errors.ts'
import { type EnvVarKey, isEnvVarTaken } from '../store/env-vars.ts'
import type { Database } from '../store/tables.ts'
import { lockEnvVars } from './lock-env-vars.ts'

/**
 * Throws if the holder of a variable has another one of this name for the same branch. The transaction
 * then keeps others from making one.
 */
export async function refuseTakenEnvVar(db: Database, variable: EnvVarKey): Promise<void> {
  await lockEnvVars(db, variable)
  if (!(await isEnvVarTaken(db, variable))) return
  const branch = variable.branch === null ? 'all branches' : `branch ${variable.branch}`
  const message = `there is a variable ${variable.name} for ${branch} already`
  throw new ServiceError('duplicate_resource', message)
}
