import type { User } from '../domain/owner.ts'
import { isNamed } from './administration.ts'

/** Whether all that a user is known by counts for nothing: they are blocked, or cannot log in here any more. */
export function isShutOut(
  user: Pick<User, 'blocked_at' | 'codehost_id' | 'provider' | 'login'>,
  lists: LoginLists,
): boolean {
  if (user.blocked_at !== null) return true
  // What has no number at the code host is a token's own user.
  return user.codehost_id !== null && isLetIn(user, lists) === false
}

/** What the settings say of who can log in, each as `provider:login` in lower case. */
export interface LoginLists {
  admins: readonly string[]
  allowedLogins: readonly string[]
  allowedOrganizations: readonly string[]
}

/**
 * Whether these lists let a user in; undefined where they do not say it, and it depends on what the
 * code host knows of the user. Whoever is at this machine needs no list.
 */
export function isLetIn(
  user: Pick<User, 'provider' | 'login'>,
  { admins, allowedLogins, allowedOrganizations }: LoginLists,
): boolean | undefined {
  if (user.provider === 'local' || isNamed(user, [...admins, ...allowedLogins])) return true
  return allowedLogins.length > 0 && allowedOrganizations.length === 0 ? false : undefined
}
