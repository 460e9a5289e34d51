import type { NewKeyPair } from '../../secrets/key-pair.ts'
import type { Sealer } from '../../secrets/seal.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'

/** A key pair as it is stored for a repository. */
export function sealedPair(
  sealer: Sealer,
  repository_id: number,
  { public_key, private_key, fingerprint }: NewKeyPair,
) {
  const sealed_private_key = sealer.sealText(sealedIn.keyPair(repository_id), private_key)
  return { repository_id, public_key, fingerprint, sealed_private_key }
}
