import type { Actor } from '../domain/audit.ts'
import type { Cron } from '../domain/cron.ts'
import { deleteCron } from '../store/crons.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/** Removes a cron. Undefined when it was gone already. */
export function removeCron(
  ctx: Context,
  actor: Actor,
  { id }: Pick<Cron, 'id'>,
): Promise<Cron | undefined> {
  return transact(ctx, async (tx) => {
    const removed = await deleteCron(tx.db, id)
    if (!removed) return
    const { repository_id, branch_id, interval } = removed
    await audit(tx, actor, {
      action: 'remove_cron',
      subject_type: 'repository',
      subject_id: repository_id,
      changed: { id, branch_id, interval },
    })
    return removed
  })
}
