import type { CommitStatus } from '../../domain/commit/status.ts'
import type { RepositoryRef } from '../codehost.ts'
import type { App } from './app.ts'
import { scopeOf } from './client.ts'
import type { ResponseData } from './octokit.ts'

type Statuses = ResponseData<'repos', 'listCommitStatusesForRef'>

export async function postStatus(
  { call }: App,
  repository: RepositoryRef,
  sha: string,
  { state, context, description, target_url }: CommitStatus,
): Promise<void> {
  await call(scopeOf(repository), 'POST /repositories/{id}/statuses/{sha}', {
    id: repository.codehost_id,
    sha,
    state,
    context,
    target_url,
    description,
  })
}

export async function statusesOf(
  app: App,
  repository: RepositoryRef,
  sha: string,
): Promise<CommitStatus[]> {
  const parameters = { id: repository.codehost_id, sha }
  const route = 'GET /repositories/{id}/commits/{sha}/statuses'
  const pages = await app.pages<Statuses>(scopeOf(repository), route, parameters)
  return pages
    .flat()
    .map(({ state, context, description, target_url }) => ({
      state: state as CommitStatus['state'],
      context,
      description: description ?? '',
      target_url: target_url ?? '',
    }))
}
