import { administrationRights } from '../../access/administration.ts'
import { wrongParams } from '../../domain/errors.ts'
import { idIn } from '../find-record.ts'
import type { ListQuery } from './list-query.ts'

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

/** The id that a list is filtered by; undefined if none was given. */
export function idFilter<Filter extends string>(
  query: ListQuery<Filter>,
  name: NoInfer<Filter>,
): number | undefined {
  const [text] = query.valuesOf(name)
  if (text === undefined) return
  const id = idIn(text)
  if (id === undefined) throw wrongParams(`${name} must be an id`)
  return id
}
