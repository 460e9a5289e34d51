import { type EnvVarHolder, mostVariables } from '../domain/env-var.ts'
import { ServiceError } from '../domain/errors.ts'
import { countEnvVars } from '../store/env-vars.ts'
import type { Database } from '../store/tables.ts'

/** Throws if a repository, or an owner, has as many variables as it can have. Called under the lock of these. */
export async function refuseManyEnvVars(db: Database, holder: EnvVarHolder): Promise<void> {
  if ((await countEnvVars(db, holder)) < mostVariables) return
  const whose = 'repository_id' in holder ? 'the repository' : 'the owner'
  const message = `${whose} has ${mostVariables} variables, which is the most: remove one of them first`
  throw new ServiceError('unprocessable_entity', message)
}
