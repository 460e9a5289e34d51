import type { ConditionData } from '../../buildfile/conditions/data.ts'
import { applicableVariables, withVariablesOfOwner } from '../../domain/env-var.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { envVarsInReach } from '../../store/secrets/env-vars.ts'
import type { Context } from '../context.ts'

interface Event {
  /** Null for a tag. */
  branch: string | null
  from_fork: boolean
}

/** The variables of a repository and its owner that conditions can use: the ones that are not secret. */
export async function publicVariables(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  repository: OwnerRef & { id: number },
  { branch, from_fork }: Event,
): Promise<NonNullable<ConditionData['env']>> {
  const { ofRepository, ofOwner } = await envVarsInReach(db, repository)
  const given = from_fork ? ofRepository.filter((variable) => variable.public) : ofRepository
  // As in jobs, a secret variable hides a public one of its name, and an owner's variables are not for forks.
  return withVariablesOfOwner(from_fork ? [] : ofOwner, applicableVariables(given, branch))
    .filter((variable) => variable.public)
    .map(({ id, name, sealed_value }) => ({
      [name]: sealer.openText(sealedIn.envVar(id), sealed_value),
    }))
}
