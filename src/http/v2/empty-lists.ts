import { loginRequired } from '../../domain/errors.ts'
import type { Call } from '../endpoint.ts'
import { versionOf } from './accept.ts'

/**
 * The lists of a repository that is missing or hidden: empty, and in V2 a login is asked for
 * instead (D18). A response like that of any other list.
 */
export function emptyLists<N extends string>(...names: N[]) {
  return ({ viewer, request }: Call): Record<N, never[]> => {
    if (!viewer.user && versionOf(request.headers) === '2') throw loginRequired()
    return Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, never[]>
  }
}
