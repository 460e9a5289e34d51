import type { RepositoryFacts } from '../../domain/event.ts'
import type { RepositoryRef } from '../codehost.ts'
import type { App } from './app.ts'
import { nothing, scopeOf } from './client.ts'
import type { Answer } from './octokit.ts'

type Repository = Answer<'repos', 'get'>
type Listed = Answer<'apps', 'listReposAccessibleToInstallation'>['repositories'][number]

/** Undefined as well when the app may not see it any more. */
export async function findRepository(
  { ask }: App,
  ref: RepositoryRef,
): Promise<RepositoryFacts | undefined> {
  const given = { id: ref.codehost_id }
  const found = await ask<Repository>(scopeOf(ref), 'GET /repositories/{id}', given).catch(nothing)
  return found && repositoryFacts(found)
}

export function repositoryFacts(repository: Repository | Listed): RepositoryFacts {
  const { id, name, fork, default_branch, description, language, owner } = repository
  return {
    provider: 'codehost',
    codehost_id: id,
    name,
    private: repository.private,
    fork,
    default_branch,
    description: description ?? null,
    language: language ?? null,
    owner: {
      codehost_id: owner.id,
      login: owner.login,
      type: owner.type === 'Organization' ? 'Organization' : 'User',
    },
  }
}
