import type { User } from '../domain/owner.ts'
import { isForSome } from './scopes.ts'
import type { Viewer } from './viewer.ts'

/** Whether a viewer is one of the installation's administrators, named as `provider:login`. */
export function isAdministrator(viewer: Viewer, admins: readonly string[]): boolean {
  const { user } = viewer
  if (!user || isForSome(viewer)) return false
  return isNamed(user, admins)
}

/** The user for anyone at this machine, who can do everything. */
export const atThisMachine = 'local:local'

/** Whether `names` lists a user, each as `provider:login` in lower case. */
export function isNamed(
  { provider, login }: Pick<User, 'provider' | 'login'>,
  names: readonly string[],
): boolean {
  return names.includes(`${provider}:${login.toLowerCase()}`)
}

/** A viewer's rights on the installation as a whole. */
export function administrationRights({ administrator = false }: Viewer) {
  return { read: administrator, write: administrator }
}
