import type { Actor } from '../domain/audit.ts'
import { hashToken, newToken } from '../secrets/token.ts'
import { replaceToken } from '../store/tokens.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/** Puts a new token in the place of one, for the same and as long, and returns it. What was made with the old one ends. */
export function renewToken(ctx: Context, { id }: { id: number }, actor: Actor): Promise<string> {
  return transact(ctx, async (tx) => {
    const token = newToken()
    await replaceToken(tx.db, id, { hash: hashToken(token), now: tx.now() })
    await audit(tx, actor, { action: 'renew_token', subject_type: 'token', subject_id: id })
    return token
  })
}
