import { repositoryRights } from '../../access/repository-rights.ts'
import { permittedUser } from '../../access/viewer.ts'
import type { Provider } from '../../domain/owner.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import { findSeenRepository, type RepositoryRef } from '../../store/repositories.ts'
import type { Call } from '../endpoint.ts'
import { idIn } from '../find-made.ts'
import { readInclude } from './include.ts'

/** The steps shared by every V3 endpoint that speaks of one repository. */
export const oneRepository = {
  type: 'repository',
  check: ({ query }: Call): void => void readInclude(query.include),
  async find({ ctx, viewer, params }: Call): Promise<Seen<Repository> | undefined> {
    const ref = refIn(params)
    return ref && findSeenRepository(ctx.db, ref, permittedUser(viewer))
  },
  rights: repositoryRights,
}

/** The names that a provider goes by in paths. */
const providers: ReadonlyMap<string, Provider> = new Map([
  ['codehost', 'codehost'],
  ['github', 'codehost'],
  ['local', 'local'],
])

/** With an id the provider is ignored; a slug alone is looked for at every code host in use. */
function refIn({ repository, provider }: Call['params']): RepositoryRef | undefined {
  const id = idIn(repository)
  if (id !== undefined) return { id }
  if (repository === undefined) return
  if (provider === undefined) return { slug: repository }
  const named = providers.get(provider.toLowerCase())
  return named && { slug: repository, provider: named }
}

/** An id or a slug; whatever else stands in its place is an unknown path. */
const repository = String.raw`:repository(^(?:\d+|[^/]+/[^/]+)$)`

/** `/repo/{id or slug}` and `/repo/{provider}/{id or slug}`, each followed by `rest`. */
export function repositoryPaths(rest = ''): string[] {
  return [`/repo/${repository}${rest}`, `/repo/:provider(^.+$)/${repository}${rest}`]
}

/** The four variants of a path as the home document lists them. */
export function repositoryTemplates(rest = ''): string[] {
  return [
    `/repo/{provider}/{repository.id}${rest}`,
    `/repo/{provider}/{repository.slug}${rest}`,
    `/repo/{repository.id}${rest}`,
    `/repo/{repository.slug}${rest}`,
  ]
}
