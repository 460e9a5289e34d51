import type { Actor } from '../domain/audit.ts'
import type { SshKey } from '../domain/ssh-key.ts'
import type { PrivateKey } from '../secrets/private-key.ts'
import { updateSshKey } from '../store/ssh-keys.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { sealedKey } from './repository/sealed-key.ts'
import { transact } from './transact.ts'

/** What is undefined stays as it is. */
interface SshKeyChanges {
  key: PrivateKey | undefined
  description: string | undefined
}

/** Changes the key that a repository has. Undefined when it has none. */
export function changeSshKey(
  ctx: Context,
  actor: Actor,
  stored: SshKey,
  { key, description }: SshKeyChanges,
): Promise<SshKey | undefined> {
  const { repository_id } = stored
  if (key === undefined && description === undefined) return Promise.resolve(stored)
  return transact(ctx, async (tx) => {
    const changed = await updateSshKey(tx.db, repository_id, {
      ...(description === undefined ? {} : { description }),
      ...(key === undefined ? {} : sealedKey(tx.sealer, repository_id, key)),
    })
    if (!changed) return
    await audit(tx, actor, {
      action: 'change_ssh_key',
      subject_type: 'repository',
      subject_id: repository_id,
      changed: { fingerprint: changed.fingerprint, description: changed.description },
    })
    return changed
  })
}
