import type { ConditionData } from '../../buildfile/conditions/data.ts'
import { applicableVariables, withVariablesOfOwner } from '../../domain/env-var.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { envVarsOf, envVarsOfOwners } from '../../store/env-vars.ts'
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
  const [ofRepository, [ofOwner = []]] = await Promise.all([
    envVarsOf(db, repository.id),
    envVarsOfOwners(db, from_fork ? [] : [repository]),
  ])
  const given = from_fork ? ofRepository.filter((variable) => variable.public) : ofRepository
  // A secret one hides one of the same name that is none, as in the job.
  return withVariablesOfOwner(ofOwner, applicableVariables(given, branch))
    .filter((variable) => variable.public)
    .map(({ id, name, sealed_value }) => ({
      [name]: sealer.openText(sealedIn.envVar(id), sealed_value),
    }))
}
