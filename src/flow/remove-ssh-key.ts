import type { Actor } from '../domain/audit.ts'
import type { SshKey } from '../domain/ssh-key.ts'
import { deleteSshKey } from '../store/ssh-keys.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/** Takes the key of a repository away. Undefined when it has none. */
export function removeSshKey(
  ctx: Context,
  actor: Actor,
  { repository_id }: Pick<SshKey, 'repository_id'>,
): Promise<SshKey | undefined> {
  return transact(ctx, async (tx) => {
    const removed = await deleteSshKey(tx.db, repository_id)
    if (!removed) return
    const { fingerprint, description } = removed
    await audit(tx, actor, {
      action: 'remove_ssh_key',
      subject_type: 'repository',
      subject_id: repository_id,
      changed: { fingerprint, description },
    })
    return removed
  })
}
