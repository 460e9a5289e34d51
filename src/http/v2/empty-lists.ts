import { loginRequired } from '../../domain/errors.ts'
import type { Call } from '../core/endpoint.ts'
import { versionOf } from './accept.ts'

/**
 * The lists of a missing or hidden repository: empty, except that V2 requires a login instead (D18). The
 * response has the form of any other list.
 */
export function emptyLists<N extends string>(...names: N[]) {
  return ({ viewer, request }: Call): Record<N, never[]> => {
    if (!viewer.user && versionOf(request.headers) === '2') throw loginRequired()
    return Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, never[]>
  }
}
