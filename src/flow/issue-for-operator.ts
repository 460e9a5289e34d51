import { isLetIn } from '../access/login-rights.ts'
import { operator } from '../domain/audit.ts'
import { ServiceError } from '../domain/errors.ts'
import type { User } from '../domain/owner.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { issueToken } from './issue-token.ts'

type Given = Pick<Context, 'db' | 'now'> & {
  config: Pick<Context['config'], 'admins' | 'allowedLogins' | 'allowedOrganizations'>
}

/** Issues a token to a user, for whoever is at the machine. Throws where it could not be used (D46). */
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
