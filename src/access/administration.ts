import { isForSome } from './scopes.ts'
import type { Viewer } from './viewer.ts'

/** Whether a viewer is one of the installation's administrators, named as `provider:login`. */
export function isAdministrator(viewer: Viewer, admins: readonly string[]): boolean {
  const { user } = viewer
  if (!user || isForSome(viewer)) return false
  return admins.includes(`${user.provider}:${user.login.toLowerCase()}`)
}

/** What a viewer can do with what concerns the whole installation. */
export function administrationRights({ administrator = false }: Viewer) {
  return { read: administrator, write: administrator }
}
