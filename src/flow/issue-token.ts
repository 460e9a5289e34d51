import type { User } from '../domain/owner.ts'
import { hashToken, newToken } from '../secrets/token.ts'
import { insertToken } from '../store/tokens.ts'
import type { Context } from './context.ts'

const lifetimeDays = 90

/** Creates an access token and returns it: it cannot be read again later (D25). */
export async function issueToken(
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: User,
  name: string,
): Promise<string> {
  const token = newToken()
  await insertToken(db, {
    user_id: user.id,
    hash: hashToken(token),
    name,
    scopes: ['public', 'private'],
    expires_at: new Date(now().getTime() + lifetimeDays * 24 * 60 * 60 * 1000),
  })
  return token
}
