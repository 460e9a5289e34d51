import type { Actor } from '../domain/audit.ts'
import type { EnvVar } from '../domain/env-var.ts'
import { deleteEnvVar } from '../store/env-vars.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { holderInAudit } from './holder-in-audit.ts'
import { transact } from './transact.ts'

/** Removes a variable from the settings that have it. Undefined when it was gone already. */
export function removeEnvVar(
  ctx: Context,
  actor: Actor,
  { id }: Pick<EnvVar, 'id'>,
): Promise<EnvVar | undefined> {
  return transact(ctx, async (tx) => {
    const removed = await deleteEnvVar(tx.db, id)
    if (!removed) return
    await audit(tx, actor, {
      action: 'remove_env_var',
      ...holderInAudit(removed),
      changed: { id, name: removed.name },
    })
    return removed
  })
}
