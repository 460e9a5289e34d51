import type { Actor } from '../../domain/audit.ts'
import type { Repository } from '../../domain/repository.ts'
import type { NewKeyPair } from '../../secrets/key-pair.ts'
import type { Sealer } from '../../secrets/seal.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import {
  lockPublicKey,
  putKeyPair,
  type PublicKey,
  insertKeyPair,
} from '../../store/secrets/key-pairs.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'

/** Gives a repository a new key pair. Values encrypted with the previous one are lost. */
export async function renewKeyPair(
  ctx: Context,
  actor: Actor,
  { id }: Pick<Repository, 'id'>,
): Promise<PublicKey> {
  const pair = await ctx.newKeyPair(`repository ${id}`)
  const { public_key, fingerprint } = pair
  return transact(ctx, async (tx) => {
    const before = await lockPublicKey(tx.db, id)
    // Concurrent renewals all get the same pair, which the first of them stores.
    if (before?.fingerprint === fingerprint) return { public_key, fingerprint }
    await putKeyPair(tx.db, sealedPair(tx.sealer, id, pair))
    await audit(tx, actor, {
      action: 'renew_key_pair',
      subject_type: 'repository',
      subject_id: id,
      changed: { from: before?.fingerprint ?? null, to: fingerprint },
    })
    return { public_key, fingerprint }
  })
}

/** The columns of a repository's key pair, with the private key sealed. */
function sealedPair(
  sealer: Sealer,
  repository_id: number,
  { public_key, private_key, fingerprint }: NewKeyPair,
) {
  const sealed_private_key = sealer.sealText(sealedIn.keyPair(repository_id), private_key)
  return { repository_id, public_key, fingerprint, sealed_private_key }
}

/** Makes the key pair of a repository that had none; returns the existing one otherwise. */
export async function makeKeyPair(
  { db, sealer, newKeyPair }: Pick<Context, 'db' | 'sealer' | 'newKeyPair'>,
  repositoryId: number,
): Promise<PublicKey> {
  const pair = await newKeyPair(`repository ${repositoryId}`)
  return insertKeyPair(db, sealedPair(sealer, repositoryId, pair))
}
