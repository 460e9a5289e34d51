import { repositoryRights } from '../../access/repository-rights.ts'
import { permittedUser } from '../../access/viewer.ts'
import { type Repository, slugOf } from '../../domain/repository.ts'
import { findSeenRepository } from '../../store/repositories/repository-access.ts'
import type { Call } from '../core/endpoint.ts'
import { idIn } from '../core/path-id.ts'
import { text } from '../parameters/kinds.ts'
import { inQuery } from '../parameters/parameter.ts'

/** The steps shared by every V2.1 endpoint for one repository. */
export const oneRepository = {
  type: 'repository',
  find: ({ ctx, viewer, params }: Call) =>
    findSeenRepository(ctx.db, refIn(params), permittedUser(viewer)),
  rights: repositoryRights,
}

/** How a path names a repository. */
export function refIn({ id, owner, name }: Call['params']): { id: number } | { slug: string } {
  // `id` is digits, or a slug whose slash was escaped.
  const slug = owner !== undefined && name !== undefined ? `${owner}/${name}` : (id ?? '')
  const number = idIn(slug)
  return number === undefined ? { slug } : { id: number }
}

/** Whether a repository is the one in the path, if the path names one. */
export function isNamed(repository: Repository, { params }: Call): boolean {
  if (params.id === undefined && params.owner === undefined) return true
  const ref = refIn(params)
  return 'id' in ref
    ? repository.id === ref.id
    : slugOf(repository).toLowerCase() === ref.slug.toLowerCase()
}

/** The parameters that name a repository. */
export const repositoryNames = inQuery({
  repository_id: text('the id of the repository, unless its slug is given'),
  slug: text('the slug of the repository, unless its id is given'),
})

/** The shared steps of endpoints whose parameters name the repository: `repository_id` or `slug`. */
export const repositoryInQuery = {
  ...oneRepository,
  find({ ctx, viewer, given }: Call) {
    const { repository_id, slug } = given
    const id = ['string', 'number'].includes(typeof repository_id)
      ? idIn(String(repository_id))
      : undefined
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
