import type { RepositoryFacts } from '../../domain/event.ts'
import type { RepositoryRef } from '../codehost.ts'
import type { App } from './app.ts'
import { undefinedIfMissing, scopeOf } from './client.ts'
import type { ResponseData } from './octokit.ts'

type Repository = ResponseData<'repos', 'get'>
type Listed = ResponseData<'apps', 'listReposAccessibleToInstallation'>['repositories'][number]

/** Also undefined when the app has lost access to the repository. */
export async function findRepository(
  { call }: App,
  ref: RepositoryRef,
): Promise<RepositoryFacts | undefined> {
  const parameters = { id: ref.codehost_id }
  const found = await call<Repository>(scopeOf(ref), 'GET /repositories/{id}', parameters).catch(
    undefinedIfMissing,
  )
  return found && repositoryFacts(found)
}

/** Queries the repository regardless of which repositories belong to the installation. */
export async function repositoryShownTo(
  { find }: App,
  installation: number,
  { codehost_id: id, slug }: Pick<RepositoryRef, 'codehost_id' | 'slug'>,
): Promise<RepositoryFacts | undefined> {
  const scope = { installation, slug, permissions: { metadata: 'read' } } as const
  const found = await find<Repository>(scope, 'GET /repositories/{id}', { id })
  return found && repositoryFacts(found)
}

export function repositoryFacts(repository: Repository | Listed): RepositoryFacts {
  const { id, name, fork, default_branch, description, language, archived, owner } = repository
  return {
    provider: 'codehost',
    codehost_id: id,
    name,
    private: repository.private,
    fork,
    default_branch,
    description: description ?? null,
    language: language ?? null,
    archived: archived ?? false,
    owner: {
      codehost_id: owner.id,
      login: owner.login,
      type: owner.type === 'Organization' ? 'Organization' : 'User',
    },
  }
}
