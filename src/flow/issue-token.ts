import type { User } from '../domain/owner.ts'
import { hashToken, newToken } from '../secrets/token.ts'
import { insertToken } from '../store/tokens.ts'
import type { Context } from './context.ts'

const lifetimeDays = 90

/** When a token ends that is not used any more. */
export function endOfUnused(now: Date): Date {
  return new Date(now.getTime() + lifetimeDays * 24 * 60 * 60 * 1000)
}

/** What a token is issued by, as the interface numbers it. */
export const applications = { handshake: 0, exchange: 1, command: 2, api: 3 } as const

interface TokenOptions {
  scopes?: readonly string[]
  application?: (typeof applications)[keyof typeof applications]
}

/** Creates an access token and returns it: it cannot be read again later (D25). */
export async function issueToken(
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: User,
  name: string,
  { scopes = ['public', 'private'], application = applications.command }: TokenOptions = {},
): Promise<string> {
  const token = newToken()
  await insertToken(db, {
    user_id: user.id,
    hash: hashToken(token),
    name,
    scopes: [...scopes],
    application,
    expires_at: endOfUnused(now()),
  })
  return token
}
