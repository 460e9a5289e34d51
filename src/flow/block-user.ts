import { atThisMachine, isNamed } from '../access/administration.ts'
import type { Author } from '../domain/audit.ts'
import { ServiceError } from '../domain/errors.ts'
import type { User } from '../domain/owner.ts'
import { setUserBlocked } from '../store/users.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'

/**
 * Blocks a user, or no longer: requests that they cause are rejected, and their tokens are refused.
 * What runs already goes on. Returns whether that was not so before; throws for administrators.
 */
export async function blockUser(
  { db, now, config }: Pick<Context, 'db' | 'now'> & { config: Pick<Context['config'], 'admins'> },
  author: Author,
  user: Pick<User, 'id' | 'provider' | 'login'>,
  blocked: boolean,
): Promise<boolean> {
  if (blocked && isNamed(user, [atThisMachine])) {
    const message = 'the user local cannot be blocked: it stands for whoever is at this machine'
    throw new ServiceError('unprocessable_entity', message)
  }
  if (blocked && isNamed(user, config.admins)) {
    const message = 'an administrator cannot be blocked: take the login out of ADMINS before'
    throw new ServiceError('unprocessable_entity', message)
  }
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
