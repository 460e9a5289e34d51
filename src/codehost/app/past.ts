import type { PastWebhook, PushedRepository, Pusher, RepositoryRef } from '../codehost.ts'
import type { App } from './app.ts'
import { scopeOf } from './client.ts'
import type { ResponseData } from './octokit.ts'
import { repositoryFacts } from './repositories.ts'

type Delivery = ResponseData<'apps', 'listWebhookDeliveries'>[number]
type Repositories = ResponseData<'apps', 'listReposAccessibleToInstallation'>
type Activity = ResponseData<'repos', 'listActivities'>[number]
type Branch = ResponseData<'repos', 'listBranches'>[number]

/** The webhooks sent to the app since then, newest first; GitHub remembers three days. */
export async function sentWebhooks({ pages }: App, since: Date): Promise<PastWebhook[]> {
  const isOld = ({ delivered_at }: Delivery) => new Date(delivered_at) < since
  const route = 'GET /app/hook/deliveries'
  const found = await pages<Delivery[]>('app', route, {}, (page) => page.some(isOld))
  return found
    .flat()
    .filter((delivery) => !isOld(delivery))
    .map(({ id, guid, event, action, delivered_at, repository_id }) => ({
      id,
      guid,
      event,
      action,
      delivered_at: new Date(delivered_at),
      repository: repository_id,
    }))
}

export async function sendAgain({ call }: App, delivery_id: number): Promise<void> {
  const route = 'POST /app/hook/deliveries/{delivery_id}/attempts'
  await call('app', route, { delivery_id })
}

export async function pushedRepositories(
  { pages }: App,
  installation: number,
): Promise<PushedRepository[]> {
  const scope = { installation, permissions: { metadata: 'read' } } as const
  const found = await pages<Repositories>(scope, 'GET /installation/repositories')
  return found.flatMap(({ repositories }) =>
    repositories.map((repository) => ({
      facts: repositoryFacts(repository),
      pushed_at: repository.pushed_at ? new Date(repository.pushed_at) : null,
    })),
  )
}

export async function headsOf(
  { pages }: App,
  repository: RepositoryRef,
): Promise<Record<string, string>> {
  const parameters = { id: repository.codehost_id }
  const route = 'GET /repositories/{id}/branches'
  const found = await pages<Branch[]>(scopeOf(repository), route, parameters)
  return Object.fromEntries(found.flat().map(({ name, commit }) => [name, commit.sha]))
}

/** Also undefined on an Enterprise Server that is too old for this call. */
export async function pusherOf(
  { find }: App,
  repository: RepositoryRef,
  { ref, sha }: { ref: string; sha: string },
): Promise<Pusher | undefined> {
  const route = 'GET /repositories/{id}/activity'
  const parameters = { id: repository.codehost_id, ref, per_page: 30 }
  const found = await find<Activity[]>(scopeOf(repository), route, parameters)
  const { actor } = found?.find(({ after }) => after === sha) ?? {}
  if (!actor) return undefined
  const { id, login, type } = actor
  return { codehost_id: id, login, type: type === 'Bot' ? 'Bot' : 'User' }
}
