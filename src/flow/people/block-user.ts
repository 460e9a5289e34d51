import { atThisMachine, isNamed } from '../../access/administration.ts'
import type { Author } from '../../domain/audit.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { User } from '../../domain/owner.ts'
import { setUserBlocked } from '../../store/people/users.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'

/**
 * Blocks or unblocks a user: requests that blocked users cause are rejected, and their tokens are refused.
 * Running builds continue. Returns whether anything changed; throws for administrators.
 */
export async function blockUser(
  { db, now, config }: Pick<Context, 'db' | 'now'> & { config: Pick<Context['config'], 'admins'> },
  author: Author,
  user: Pick<User, 'id' | 'provider' | 'login'>,
  blocked: boolean,
): Promise<boolean> {
  const refusal = blocked ? whyNotBlocked(user, config.admins) : undefined
  if (refusal !== undefined) throw new ServiceError('unprocessable_entity', refusal)
  return db.transaction().execute(async (tx) => {
    if (!(await setUserBlocked(tx, user.id, blocked ? now() : null))) return false
    await audit({ db: tx, now }, author, {
      action: blocked ? 'block' : 'unblock',
      subject_type: 'user',
      subject_id: user.id,
      changed: { login: user.login },
    })
    return true
  })
}

function whyNotBlocked(
  user: Pick<User, 'provider' | 'login'>,
  admins: readonly string[],
): string | undefined {
  if (isNamed(user, [atThisMachine])) {
    return 'the user local cannot be blocked: it represents everyone who uses this machine'
  }
  return isNamed(user, admins)
    ? 'an administrator cannot be blocked: remove the login from ADMINS first'
    : undefined
}
