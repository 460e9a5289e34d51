import type { PrivateKey } from '../../secrets/private-key.ts'
import type { Sealer } from '../../secrets/seal.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'

/** The columns of a custom SSH key as it is stored for a repository. */
export function sealedKey(
  sealer: Sealer,
  repository_id: number,
  { text, fingerprint, public_key }: PrivateKey,
) {
  const sealed_value = sealer.sealText(sealedIn.sshKey(repository_id), text)
  return { fingerprint, public_key, sealed_value }
}
