import { randomBytes } from 'node:crypto'
import { sealedIn } from '../secrets/sealed-records.ts'
import { findBodyHashKey, insertBodyHashKey } from '../store/body-hash-key.ts'
import type { Context } from './context.ts'

/**
 * What bodies of webhooks are hashed with: made when it is first asked for, the same in all processes, and after
 * a change of the master key.
 */
export async function bodyHashKey({ db, sealer }: Pick<Context, 'db' | 'sealer'>): Promise<string> {
  const { sealed_key } = (await findBodyHashKey(db)) ?? (await insertBodyHashKey(db, newKey()))
  return sealer.openText(sealedIn.bodyHashKey(), sealed_key)

  function newKey() {
    const key = randomBytes(32).toString('base64url')
    return { sealed_key: sealer.sealText(sealedIn.bodyHashKey(), key) }
  }
}
