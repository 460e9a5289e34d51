import type { Actor } from '../domain/audit.ts'
import type { Repository } from '../domain/repository.ts'
import { findPublicKey, putKeyPair, type PublicKey } from '../store/key-pairs.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { sealedPair } from './repository/sealed-pair.ts'
import { transact } from './transact.ts'

/** Gives a repository a new key pair. What was encrypted with the one before is lost. */
export async function renewKeyPair(
  ctx: Context,
  actor: Actor,
  { id }: Pick<Repository, 'id'>,
): Promise<PublicKey> {
  const pair = await ctx.newKeyPair()
  const { public_key, fingerprint } = pair
  return transact(ctx, async (tx) => {
    const before = await findPublicKey(tx.db, id)
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
