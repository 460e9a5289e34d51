import type { Actor } from '../domain/audit.ts'
import type { EnvVar } from '../domain/env-var.ts'
import { sealedIn } from '../secrets/sealed-records.ts'
import { updateEnvVar } from '../store/env-vars.ts'
import type { Database } from '../store/tables.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { refuseTakenEnvVar } from './refuse-taken-env-var.ts'
import { transact } from './transact.ts'

/** What is undefined stays as it is. */
interface EnvVarChanges {
  name: string | undefined
  value: string | undefined
  public: boolean | undefined
  branch: string | null | undefined
}

/**
 * Changes a variable of a repository; one that is made public shows its value from then on.
 * Undefined when it is gone. With `distinct` it may not get the name and branch of another one.
 */
export function changeEnvVar(
  ctx: Context,
  actor: Actor,
  variable: EnvVar,
  changes: EnvVarChanges,
  { distinct = false }: { distinct?: boolean } = {},
): Promise<EnvVar | undefined> {
  const { value, ...shown } = changes
  const members = Object.entries(changes).flatMap(([name, to]) => (to === undefined ? [] : [name]))
  if (members.length === 0) return Promise.resolve(variable)
  return transact(ctx, async (tx) => {
    if (distinct) await refuseMoved(tx.db, variable, changes)
    const sealed_value =
      value === undefined ? undefined : tx.sealer.sealText(sealedIn.envVar(variable.id), value)
    const changed = await updateEnvVar(tx.db, variable.id, { ...shown, sealed_value })
    if (!changed) return
    await audit(tx, actor, {
      action: 'change_env_var',
      subject_type: 'repository',
      subject_id: changed.repository_id,
      // Which members, and the values of those that are no secret.
      changed: { id: changed.id, name: changed.name, members, public: changed.public },
    })
    return changed
  })
}

/** Throws if the changes give a variable the name and branch of another one. */
async function refuseMoved(db: Database, variable: EnvVar, changes: EnvVarChanges): Promise<void> {
  const { name = variable.name, branch = variable.branch } = changes
  if (name === variable.name && branch === variable.branch) return
  await refuseTakenEnvVar(db, { ...variable, name, branch })
}
