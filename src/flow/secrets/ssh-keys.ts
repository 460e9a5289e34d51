import type { Actor } from '../../domain/audit.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { SshKey } from '../../domain/ssh-key.ts'
import type { PrivateKey } from '../../secrets/private-key.ts'
import type { Sealer } from '../../secrets/seal.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import {
  findSshKey,
  insertSshKey,
  putSshKey,
  updateSshKey,
  deleteSshKey,
} from '../../store/secrets/ssh-keys.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'

interface NewSshKey {
  repository_id: number
  key: PrivateKey
  /** If undefined, the description of the previous key stays. */
  description: string | undefined
}

const alreadySet = () =>
  new ServiceError('duplicate_resource', 'the repository has a custom SSH key already')

/** Why a repository cannot be given a first key; undefined if it can. */
export async function refusalOfFirstSshKey(
  { db }: Context,
  repositoryId: number,
): Promise<ServiceError | undefined> {
  return (await findSshKey(db, repositoryId)) ? alreadySet() : undefined
}

/**
 * Gives a repository this key, replacing any existing one; with `replaces: false` an existing key is an
 * error.
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

/** The changes of a key; undefined fields stay as they are. */
interface SshKeyChanges {
  key: PrivateKey | undefined
  description: string | undefined
}

/** Changes the key of a repository. Undefined if it has none. */
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

/** The columns of a repository's custom SSH key, with its text sealed. */
function sealedKey(
  sealer: Sealer,
  repository_id: number,
  { text, fingerprint, public_key }: PrivateKey,
) {
  const sealed_value = sealer.sealText(sealedIn.sshKey(repository_id), text)
  return { fingerprint, public_key, sealed_value }
}

/** Removes the key of a repository. Undefined if it has none. */
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
