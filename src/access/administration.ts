import type { User } from '../domain/owner.ts'
import { isForSome } from './scopes.ts'
import type { Viewer } from './viewer.ts'

/** Whether a viewer is one of the installation's administrators, named as `provider:login`. */
export function isAdministrator(viewer: Viewer, admins: readonly string[]): boolean {
  const { user } = viewer
  if (!user || isForSome(viewer)) return false
  return isNamed(user, admins)
}

/** Whoever is at this machine can do all that there is to be done. */
export const atThisMachine = 'local:local'

/** Whether a user is among these, each as `provider:login` in lower case. */
export function isNamed(
  { provider, login }: Pick<User, 'provider' | 'login'>,
  names: readonly string[],
): boolean {
  return names.includes(`${provider}:${login.toLowerCase()}`)
}

/** What a viewer can do with what concerns the whole installation. */
export function administrationRights({ administrator = false }: Viewer) {
  return { read: administrator, write: administrator }
}
