import type { Grant } from '../../codehost/codehost.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { putCodehostToken } from '../../store/tokens/codehost-tokens.ts'
import type { Context } from '../context.ts'

/** Stores, sealed, the token with which the code host is read for a user. */
export async function storeGrant(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  user_id: number,
  { token, refresh_token, issued_at, expires_at }: Grant,
): Promise<void> {
  const record = sealedIn.codehostToken(user_id)
  const sealed_token = sealer.sealText(record, token)
  const sealed_refresh_token =
    refresh_token === null ? null : sealer.sealText(record, refresh_token)
  const times = { issued_at, expires_at }
  await putCodehostToken(db, { user_id, sealed_token, sealed_refresh_token, ...times })
}
