import { administrationRights } from '../../../access/administration.ts'

/**
 * The steps shared by endpoints for the installation that only administrators can see; for others it
 * seems not to exist.
 */
export function ofInstallation<T extends string>(type: T) {
  return {
    type,
    login: true,
    scope: 'admin' as const,
    find: async () => ({}),
    rights: administrationRights,
    right: 'read' as const,
  }
}
