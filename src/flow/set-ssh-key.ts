import type { Actor } from '../domain/audit.ts'
import { ServiceError } from '../domain/errors.ts'
import type { SshKey } from '../domain/ssh-key.ts'
import type { PrivateKey } from '../secrets/private-key.ts'
import { findSshKey, insertSshKey, putSshKey } from '../store/ssh-keys.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { sealedKey } from './repository/sealed-key.ts'
import { transact } from './transact.ts'

interface NewSshKey {
  repository_id: number
  key: PrivateKey
  /** Without one that of the key before stays. */
  description: string | undefined
}

const alreadySet = () =>
  new ServiceError('duplicate_resource', 'the repository has a custom SSH key already')

/** Why a repository cannot be given a first key, if so. */
export async function refusalOfFirstSshKey(
  { db }: Context,
  repositoryId: number,
): Promise<ServiceError | undefined> {
  return (await findSshKey(db, repositoryId)) ? alreadySet() : undefined
}

/**
 * Gives a repository this key, in place of the one that it may have; with `replaces: false` one that
 * is there is an error.
 */
export function setSshKey(
  ctx: Context,
  actor: Actor,
  { repository_id, key, description }: NewSshKey,
  { replaces = true }: { replaces?: boolean } = {},
): Promise<SshKey> {
  return transact(ctx, async (tx) => {
    const stored = await (replaces ? putSshKey : insertSshKey)(tx.db, {
      repository_id,
      ...sealedKey(tx.sealer, repository_id, key),
      ...(description === undefined ? {} : { description }),
    })
    if (!stored) {
      throw alreadySet()
    }
    await audit(tx, actor, {
      action: 'set_ssh_key',
      subject_type: 'repository',
      subject_id: repository_id,
      changed: { fingerprint: stored.fingerprint, description: stored.description },
    })
    return stored
  })
}
