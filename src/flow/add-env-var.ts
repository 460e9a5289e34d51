import { randomUUID } from 'node:crypto'
import type { Actor } from '../domain/audit.ts'
import type { EnvVar, EnvVarHolder } from '../domain/env-var.ts'
import { sealedIn } from '../secrets/sealed-records.ts'
import { insertEnvVar } from '../store/env-vars.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { holderInAudit } from './holder-in-audit.ts'
import { lockEnvVars } from './lock-env-vars.ts'
import { refuseManyEnvVars } from './refuse-many-env-vars.ts'
import { refuseTakenEnvVar } from './refuse-taken-env-var.ts'
import { transact } from './transact.ts'

type NewEnvVar = EnvVarHolder & Pick<EnvVar, 'name' | 'public' | 'branch'> & { value: string }

/**
 * Adds a variable to the settings of a repository, or of an owner. There may be others of its name,
 * unless it is to be the only one of that name for its branch: then one that is there is an error.
 */
export function addEnvVar(
  ctx: Context,
  actor: Actor,
  { value, ...given }: NewEnvVar,
  { distinct = false }: { distinct?: boolean } = {},
): Promise<EnvVar> {
  return transact(ctx, async (tx) => {
    if (distinct) await refuseTakenEnvVar(tx.db, given)
    else await lockEnvVars(tx.db, given)
    await refuseManyEnvVars(tx.db, given)
    const id = randomUUID()
    const sealed_value = tx.sealer.sealText(sealedIn.envVar(id), value)
    const variable = await insertEnvVar(tx.db, { ...given, id, sealed_value })
    const { name, public: shown, branch } = variable
    await audit(tx, actor, {
      action: 'add_env_var',
      ...holderInAudit(variable),
      changed: { id, name, public: shown, branch },
    })
    return variable
  })
}
