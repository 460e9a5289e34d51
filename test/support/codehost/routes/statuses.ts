import { type Members, refuseHalves, textOf } from '../body.ts'
import { objectAt } from '../git.ts'
import { list } from '../paging.ts'
import { created, ok, type Refusal, unprocessable, validationFailed } from '../reply.ts'
import { type RepositoryCall, repositoryRoute } from '../route.ts'
import { repository as shownRepository } from '../shapes/repository.ts'
import { status } from '../shapes/status.ts'
import { type Repository, slugOf, type Status } from '../tables.ts'
import type { World } from '../world.ts'
import { actorOf } from './actor.ts'
import { commitOf } from './commits.ts'

const states = ['error', 'failure', 'pending', 'success'] as const
const longestDescription = 140
/** Of one commit and context. */
const mostStatuses = 1000

export const statusRoutes = [
  ...repositoryRoute('POST /statuses/{sha}', 'statuses', async (call) => {
    const { world, repository, params, body } = call
    const { sha = '' } = params
    const state = states.find((each) => each === body.state)
    if (!state) throw validationFailed('Status', 'state', 'state is not included in the list')
    const found = await objectAt(world, repository, sha)
    if (found?.sha !== sha) throw unprocessable(`No commit found for SHA: ${sha}`)
    const { context, description, target_url } = textsOf(body)
    const before = statusesOf(world, repository, sha).filter((each) => each.context === context)
    if (before.length >= mostStatuses) throw tooMany()
    const made: Status = {
      id: world.tables.nextId(),
      repository,
      sha,
      state,
      context,
      description,
      target_url,
      creator: actorOf(call),
      created_at: world.now(),
    }
    world.tables.statuses.push(made)
    return created(status(world, made))
  }),

  ...repositoryRoute('GET /commits/{ref*}/statuses', 'statuses', async (call) => {
    const { world, repository } = call
    const { sha } = await commitOf(call, call.params.ref ?? '')
    return list(call, statusesOf(world, repository, sha), (each) => status(world, each))
  }),

  ...repositoryRoute('GET /commits/{ref*}/status', 'statuses', combined),
]

async function combined(call: RepositoryCall) {
  const { world, repository, params } = call
  const { sha } = await commitOf(call, params.ref ?? '')
  const latest = latestOf(statusesOf(world, repository, sha))
  const url = `${world.apiUrl}/repos/${slugOf(repository)}/commits/${sha}`
  return ok({
    state: stateOf(latest),
    statuses: latest.map((each) => status(world, each)),
    sha,
    total_count: latest.length,
    repository: shownRepository(world, repository),
    commit_url: url,
    url: `${url}/status`,
  })
}

function textsOf(body: Members) {
  refuseHalves(body)
  const description = textOf(body.description)
  if ((description ?? '').length > longestDescription) {
    const message = `description is too long (maximum is ${longestDescription} characters)`
    throw validationFailed('Status', 'description', message)
  }
  const target_url = textOf(body.target_url)
  if (target_url !== null && !/^https?:\/\//.test(target_url)) {
    throw validationFailed('Status', 'target_url', 'target_url must use http(s) scheme')
  }
  return { context: textOf(body.context) ?? 'default', description, target_url }
}

function tooMany(): Refusal {
  return validationFailed(
    'Status',
    'context',
    'This SHA and context has reached the maximum number of statuses.',
  )
}

/** Newest first. */
export function statusesOf({ tables }: World, repository: Repository, sha: string): Status[] {
  return tables.statuses
    .filter((each) => each.repository === repository && each.sha === sha)
    .toReversed()
}

/** The newest of each context. */
export function latestOf(statuses: readonly Status[]): Status[] {
  return statuses.filter(
    (each, index) => statuses.findIndex(({ context }) => context === each.context) === index,
  )
}

function stateOf(latest: readonly Status[]): string {
  const has = (...wanted: string[]) => latest.some(({ state }) => wanted.includes(state))
  if (has('error', 'failure')) return 'failure'
  return latest.length === 0 || has('pending') ? 'pending' : 'success'
}
