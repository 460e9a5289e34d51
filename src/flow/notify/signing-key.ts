import { sealedIn } from '../../secrets/sealed-records.ts'
import { findSigningKey, insertSigningKey, type SigningKey } from '../../store/signing-key.ts'
import type { Context } from '../context.ts'

/** The key that webhooks are signed with, which is made when it is first asked for. */
export async function signingKey({
  db,
  sealer,
  newKeyPair,
}: Pick<Context, 'db' | 'sealer' | 'newKeyPair'>): Promise<SigningKey> {
  const known = await findSigningKey(db)
  if (known) return known
  const { public_key, private_key } = await newKeyPair()
  const sealed_private_key = sealer.sealText(sealedIn.signingKey(), private_key)
  return insertSigningKey(db, { public_key, sealed_private_key })
}
