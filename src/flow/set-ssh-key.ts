import type { Actor } from '../domain/audit.ts'
import type { SshKey } from '../domain/ssh-key.ts'
import type { PrivateKey } from '../secrets/private-key.ts'
import { sealedIn } from '../secrets/sealed-records.ts'
import { putSshKey } from '../store/ssh-keys.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

interface NewSshKey {
  repository_id: number
  key: PrivateKey
  /** Without one that of the key before stays. */
  description: string | undefined
}

/** Gives a repository this key, in place of the one that it may have. */
export function setSshKey(
  ctx: Context,
  actor: Actor,
  { repository_id, key: { text, fingerprint }, description }: NewSshKey,
): Promise<SshKey> {
  return transact(ctx, async (tx) => {
    const stored = await putSshKey(tx.db, {
      repository_id,
      fingerprint,
      sealed_value: tx.sealer.sealText(sealedIn.sshKey(repository_id), text),
      ...(description === undefined ? {} : { description }),
    })
    await audit(tx, actor, {
      action: 'set_ssh_key',
      subject_type: 'repository',
      subject_id: repository_id,
      changed: { fingerprint, description: stored.description },
    })
    return stored
  })
}
