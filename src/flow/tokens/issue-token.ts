import { isLetIn } from '../../access/login-rights.ts'
import { operator } from '../../domain/audit.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { User } from '../../domain/owner.ts'
import { hashToken, newToken } from '../../secrets/token.ts'
import { insertToken } from '../../store/tokens/tokens.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'

const day = 24 * 60 * 60 * 1000
const lifetimeDays = 90
const idleSessionDays = 14

/** The time when an unused token ends. */
export function endOfUnused(now: Date): Date {
  return new Date(now.getTime() + lifetimeDays * day)
}

/** The ways in which tokens are issued, as the interface numbers them. */
export const applications = { handshake: 0, exchange: 1, command: 2, api: 3 } as const

interface TokenOptions {
  scopes?: readonly string[]
  application?: (typeof applications)[keyof typeof applications]
  /** A session is valid only for the pages. It ends sooner if unused, and has a fixed end. */
  purpose?: 'api' | 'feed' | 'session'
  /** The token with which it is made, and with which it is revoked. */
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

type Given = Pick<Context, 'db' | 'now'> & {
  config: Pick<Context['config'], 'admins' | 'allowedLogins' | 'allowedOrganizations'>
}

/** Issues a token to a user, on behalf of the operator. Throws if the user could not use it (D46). */
export function issueForOperator(
  { db, now, config }: Given,
  user: User,
  name: string,
): Promise<string> {
  if (user.codehost_id !== null && isLetIn(user, config) === false) {
    const message = `${user.login} cannot log in: add codehost:${user.login} to ALLOWED_LOGINS`
    throw new ServiceError('unprocessable_entity', message)
  }
  return db.transaction().execute(async (tx) => {
    const token = await issueToken({ db: tx, now }, user, name)
    await audit({ db: tx, now }, operator, {
      action: 'issue_token',
      subject_type: 'user',
      subject_id: user.id,
      changed: { by: 'command', name },
    })
    return token
  })
}
