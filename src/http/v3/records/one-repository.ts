import { repositoryRights } from '../../../access/repository-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import type { Provider } from '../../../domain/owner.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { findSeenRepository, type SeenRef } from '../../../store/repositories/repository-access.ts'
import type { Database } from '../../../store/tables.ts'
import type { Call } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'

/** The steps shared by every V3 endpoint for one repository or its records. */
export const oneRepository = {
  type: 'repository',
  async find({ ctx, viewer, params }: Call) {
    const ref = refIn(params)
    return ref && findSeenRepository(ctx.db, ref, permittedUser(viewer))
  },
  rights: repositoryRights,
}

/** `oneRepository` with data read in the same statement: `read` finds it by any reference in a path. */
export function repositoryWith<T extends Seen<Repository>>(
  read: (
    db: Database,
    ref: SeenRef,
    userId: number | undefined,
    params: Call['params'],
  ) => Promise<T | undefined>,
) {
  return {
    ...oneRepository,
    async find({ ctx, viewer, params }: Call) {
      const ref = refIn(params)
      return ref && read(ctx.db, ref, permittedUser(viewer), params)
    },
  }
}

/** The names of providers in paths. */
const providers: ReadonlyMap<string, Provider> = new Map([
  ['codehost', 'codehost'],
  ['github', 'codehost'],
  ['local', 'local'],
])

/** The provider of that name, in any case; undefined if there is none. */
export function providerIn(name: string): Provider | undefined {
  return providers.get(name.toLowerCase())
}

/** With an id the provider is ignored; a slug alone is looked up at every code host in use. */
export function refIn({ repository, provider }: Call['params']): SeenRef | undefined {
  const id = idIn(repository)
  if (id !== undefined) return { id }
  if (repository === undefined) return
  if (provider === undefined) return { slug: repository }
  const named = providerIn(provider)
  return named && { slug: repository, provider: named }
}

/** The four variants of a path to a repository, each followed by `rest`. */
export function repositoryTemplates(rest = ''): string[] {
  return [
    `/repo/{provider}/{repository.id}${rest}`,
    `/repo/{provider}/{repository.slug}${rest}`,
    `/repo/{repository.id}${rest}`,
    `/repo/{repository.slug}${rest}`,
  ]
}
