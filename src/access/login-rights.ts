import type { User } from '../domain/owner.ts'
import { isNamed } from './administration.ts'

/** Whether a user is refused with every credential: the user is blocked, or can no longer log in here. */
export function isShutOut(
  user: Pick<User, 'blocked_at' | 'codehost_id' | 'provider' | 'login'>,
  lists: LoginLists,
): boolean {
  if (user.blocked_at !== null) return true
  // A user without an id at the code host belongs to a token.
  return user.codehost_id !== null && isLetIn(user, lists) === false
}

/** The settings' lists of users who can log in, each entry as `provider:login` in lower case. */
export interface LoginLists {
  admins: readonly string[]
  allowedLogins: readonly string[]
  allowedOrganizations: readonly string[]
}

/**
 * Whether these lists let a user in; undefined where the lists do not decide, and the answer depends on
 * the code host's data about the user. The local user needs no list.
 */
export function isLetIn(
  user: Pick<User, 'provider' | 'login'>,
  { admins, allowedLogins, allowedOrganizations }: LoginLists,
): boolean | undefined {
  if (user.provider === 'local' || isNamed(user, [...admins, ...allowedLogins])) return true
  return allowedLogins.length > 0 && allowedOrganizations.length === 0 ? false : undefined
}
