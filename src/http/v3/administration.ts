import { administrationRights } from '../../access/administration.ts'

/**
 * The steps shared by what only administrators see of the installation; to others it looks as if
 * there were none.
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
