import { permittedUser } from '../../access/viewer.ts'
import { repositoryRights } from '../../access/repository-rights.ts'
import { findSeenRepository } from '../../store/seen.ts'
import type { Call } from '../endpoint.ts'
import { idIn } from '../find-record.ts'

/** The steps shared by every V2.1 endpoint for one repository. */
export const oneRepository = {
  type: 'repository',
  find({ ctx, viewer, params }: Call) {
    // `id` is digits, or a slug whose slash was escaped.
    const { id, owner, name } = params
    const slug = owner !== undefined && name !== undefined ? `${owner}/${name}` : id
    const number = idIn(slug)
    const ref = number === undefined ? { slug: slug ?? '' } : { id: number }
    return findSeenRepository(ctx.db, ref, permittedUser(viewer))
  },
  rights: repositoryRights,
}

/** The same for endpoints that name the repository in the query: `repository_id` or `slug`. */
export const repositoryInQuery = {
  ...oneRepository,
  find({ ctx, viewer, query }: Call) {
    const { repository_id, slug } = query
    const id = typeof repository_id === 'string' ? idIn(repository_id) : undefined
    const ref = id === undefined ? { slug: typeof slug === 'string' ? slug : '' } : { id }
    return findSeenRepository(ctx.db, ref, permittedUser(viewer))
  },
}

/**
 * `/repos/{id}` and `/repos/{owner}/{name}`, each followed by `rest`; the slash of a slug may be
 * escaped. Only digits and such slugs are ids: `/repos/acme/key` is a repository of that name.
 */
export function repositoryPaths(rest = ''): string[] {
  return [String.raw`/repos/:id(^(?:\d+|[^/]+/[^/]+)$)${rest}`, `/repos/:owner/:name${rest}`]
}
