import type { EnvVar } from '../domain/env-var.ts'
import { ServiceError } from '../domain/errors.ts'
import { isEnvVarTaken } from '../store/env-vars.ts'
import { holdLock } from '../store/locks.ts'
import type { Database } from '../store/tables.ts'

/**
 * Throws if a repository has another variable of this name for the same branch. The transaction then
 * keeps others from making one.
 */
export async function refuseTakenEnvVar(
  db: Database,
  variable: Pick<EnvVar, 'repository_id' | 'name' | 'branch'> & { id?: string },
): Promise<void> {
  await holdLock(db, `env_vars:${variable.repository_id}`)
  if (!(await isEnvVarTaken(db, variable))) return
  const branch = variable.branch === null ? 'all branches' : `branch ${variable.branch}`
  const message = `there is a variable ${variable.name} for ${branch} already`
  throw new ServiceError('duplicate_resource', message)
}
