import type { Actor } from '../domain/audit.ts'
import { type EnvVar, holderOf } from '../domain/env-var.ts'
import { sealedIn } from '../secrets/sealed-records.ts'
import { lockEnvVar, updateEnvVar } from '../store/env-vars.ts'
import type { Database } from '../store/tables.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { differing } from './differing.ts'
import { holderInAudit } from './holder-in-audit.ts'
import { refuseTakenEnvVar } from './refuse-taken-env-var.ts'
import { transact } from './transact.ts'

/** What is undefined stays as it is. */
interface EnvVarChanges {
  name: string | undefined
  value: string | undefined
  public: boolean | undefined
  branch: string | null | undefined
}

/** What is no secret. */
type Shown = Pick<EnvVar, 'name' | 'public' | 'branch'>

/**
 * Changes a variable; one that is made public shows its value from then on.
 * Undefined when it is gone. With `distinct` it may not get the name and branch of another one.
 */
export function changeEnvVar(
  ctx: Context,
  actor: Actor,
  variable: EnvVar,
  changes: EnvVarChanges,
  { distinct = false }: { distinct?: boolean } = {},
): Promise<EnvVar | undefined> {
  const { value, ...others } = changes
  if (Object.values(changes).every((to) => to === undefined)) return Promise.resolve(variable)
  return transact(ctx, async (tx) => {
    const known = await lockEnvVar(tx.db, variable.id)
    if (!known) return
    const { changed: shown, before } = differing<Shown>(known, others)
    if (value === undefined && Object.keys(shown).length === 0) return known
    if (distinct) await refuseMoved(tx.db, known, changes)
    const sealed_value =
      value === undefined ? undefined : tx.sealer.sealText(sealedIn.envVar(variable.id), value)
    const updated = await updateEnvVar(tx.db, variable.id, { ...shown, sealed_value })
    if (!updated) return
    const { id, name, branch } = updated
    await audit(tx, actor, {
      action: 'change_env_var',
      ...holderInAudit(updated),
      // Which members, and the values of those that are no secret.
      changed: {
        id,
        name,
        branch,
        public: updated.public,
        members: [...Object.keys(shown), ...(value === undefined ? [] : ['value'])],
        before,
      },
    })
    return updated
  })
}

/** Throws if the changes give a variable the name and branch of another one. */
async function refuseMoved(db: Database, variable: EnvVar, changes: EnvVarChanges): Promise<void> {
  const { name = variable.name, branch = variable.branch } = changes
  if (name === variable.name && branch === variable.branch) return
  await refuseTakenEnvVar(db, { ...holderOf(variable), id: variable.id, name, branch })
}
