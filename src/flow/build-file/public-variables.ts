import type { ConditionData } from '../../buildfile/conditions/data.ts'
import { applicableVariables, withVariablesOfOwner } from '../../domain/env-var.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { envVarsInReach } from '../../store/env-vars.ts'
import type { Context } from '../context.ts'

interface Event {
  /** Null for a tag. */
  branch: string | null
  from_fork: boolean
}

/** What conditions see of the variables of a repository and its owner: those that are no secret. */
export async function publicVariables(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  repository: OwnerRef & { id: number },
  { branch, from_fork }: Event,
): Promise<NonNullable<ConditionData['env']>> {
  const { ofRepository, ofOwner } = await envVarsInReach(db, repository)
  const given = from_fork ? ofRepository.filter((variable) => variable.public) : ofRepository
  // A secret one hides one of the same name that is none, as in the job. Those of an owner are not for a fork.
  return withVariablesOfOwner(from_fork ? [] : ofOwner, applicableVariables(given, branch))
    .filter((variable) => variable.public)
    .map(({ id, name, sealed_value }) => ({
      [name]: sealer.openText(sealedIn.envVar(id), sealed_value),
    }))
}
