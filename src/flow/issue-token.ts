import type { User } from '../domain/owner.ts'
import { hashToken, newToken } from '../secrets/token.ts'
import { insertToken } from '../store/tokens.ts'
import type { Context } from './context.ts'

const day = 24 * 60 * 60 * 1000
const lifetimeDays = 90
const idleSessionDays = 14

/** When a token ends that is not used any more. */
export function endOfUnused(now: Date): Date {
  return new Date(now.getTime() + lifetimeDays * day)
}

/** What a token is issued by, as the interface numbers it. */
export const applications = { handshake: 0, exchange: 1, command: 2, api: 3 } as const

interface TokenOptions {
  scopes?: readonly string[]
  application?: (typeof applications)[keyof typeof applications]
  /** A session is for the pages alone: it ends sooner when it is not used, and once in any case. */
  purpose?: 'api' | 'feed' | 'session'
  /** The token that it is made with, and is revoked with. */
  parent_id?: number | null
}

/** Creates an access token and returns it: it cannot be read again later (D25). */
export async function issueToken(
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: Pick<User, 'id'>,
  name: string,
  options: TokenOptions = {},
): Promise<string> {
  const {
    scopes = ['public', 'private'],
    application = applications.command,
    purpose = 'api',
    parent_id = null,
  } = options
  const token = newToken()
  await insertToken(db, {
    user_id: user.id,
    hash: hashToken(token),
    name,
    scopes: [...scopes],
    application,
    purpose,
    parent_id,
    ...(purpose === 'session' ? endOfSession(now()) : { expires_at: endOfUnused(now()) }),
  })
  return token
}

function endOfSession(now: Date) {
  const idle = new Date(now.getTime() + idleSessionDays * day)
  return { expires_at: idle, ends_at: endOfUnused(now) }
}
