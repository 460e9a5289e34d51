import type { EnvVar } from '../../../domain/env-var.ts'
import { sealedIn } from '../../../secrets/sealed-records.ts'
import type { Sealer } from '../../../secrets/seal.ts'

/** The value of one that is not public is shown to no one. */
export function presentEnvVar(sealer: Pick<Sealer, 'openText'>, variable: EnvVar) {
  const { id, name, sealed_value, public: shown, branch, repository_id } = variable
  const value = () => sealer.openText(sealedIn.envVar(id), sealed_value)
  return { id, name, ...(shown ? { value: value() } : {}), public: shown, branch, repository_id }
}
