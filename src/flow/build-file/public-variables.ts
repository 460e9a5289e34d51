import type { ConditionData } from '../../buildfile/conditions/data.ts'
import { applicableVariables } from '../../domain/env-var.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { envVarsOf } from '../../store/env-vars.ts'
import type { Context } from '../context.ts'

/** What conditions see of a repository's variables: those that are no secret. */
export async function publicVariables(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  repositoryId: number,
  branch: string | null,
): Promise<NonNullable<ConditionData['env']>> {
  const variables = await envVarsOf(db, repositoryId)
  const shown = applicableVariables(
    variables.filter((variable) => variable.public),
    branch,
  )
  return shown.map(({ id, name, sealed_value }) => ({
    [name]: sealer.openText(sealedIn.envVar(id), sealed_value),
  }))
}
