import { requestRights } from '../../../access/build-rights.ts'
import { repositoryRights } from '../../../access/repository-rights.ts'
import { hasScope } from '../../../access/scopes.ts'
import { permittedUser } from '../../../access/viewer.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { approveRequest } from '../../../flow/requests/approve-request.ts'
import { filteredBuilds } from '../../../store/builds/listed-builds.ts'
import { pageOfBuilds } from '../../../store/builds/paged-builds.ts'
import { commitsByIds } from '../../../store/commits/commits.ts'
import { idleDeliveries } from '../../../store/deliveries/listed-deliveries.ts'
import { pullRequestsByIds } from '../../../store/repositories/load-by-ids.ts'
import { findSeenRequest } from '../../../store/repositories/repository-access.ts'
import { hadBuildFile } from '../../../store/requests/raw-configs.ts'
import { unbuiltRequests } from '../../../store/requests/requests.ts'
import { visibleIn } from '../../../store/sql/visibility.ts'
import type { Database } from '../../../store/tables.ts'
import { type Call, get, post } from '../../core/endpoint.ts'
import { byId, findRecord } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { asPage } from '../as-page.tsx'
import { submit } from '../notice.ts'
import { isUnder, oneRepository } from '../one-repository.ts'
import { pageNumberIn } from '../parts/pager.tsx'
import { repositoryPath } from '../paths.ts'
import { filterIn, isFiltered } from './filters.tsx'
import { RepositoryPage } from './page.tsx'

const size = 50
const mostRequests = 25
const mostDeliveries = 10
const mostBars = 30

const show = asPage(RepositoryPage)

export const repositoryPages = [
  get('/:owner/:name', {
    ...oneRepository,
    right: 'read',
    act: (call, repository) => shown(call, repository),
    present: (read, call) => show(read, call),
  }),

  post('/:owner/:name/requests/:request/approve', {
    type: 'request',
    async find(call: Call) {
      const request = await findRecord(call, call.params.request, findSeenRequest)
      return request && isUnder(call, request) ? request : undefined
    },
    rights: requestRights,
    login: true,
    scope: 'builds',
    right: 'write',
    act: (call, request) =>
      submit(call, () => approveRequest(call.ctx, actorOf(call), request.id), {
        path: repositoryPath(call.ctx.site.prefix, request.repository),
        notice: 'passed_over',
        refused: async (problem) =>
          show({ ...(await shown(call, request.repository)), problem }, call, 422),
      }),
    present: (answer) => answer,
  }),
]

async function shown(call: Call, repository: Seen<Repository>) {
  const {
    ctx: { db, noticesOf },
    viewer,
    query,
  } = call
  const viewerId = permittedUser(viewer)
  const number = pageNumberIn(query)
  const filter = filterIn(query)
  const isFirst = number === 1 && !isFiltered(filter)
  const { branch, state, event, by, pull } = filter
  const wanted = {
    states: state === '' ? [] : [state],
    previous_states: [],
    event_types: event === '' ? [] : [event],
    creators: by === '' ? [] : [by],
    branches: branch === '' ? [] : [branch],
    pulls: pull === '' ? [] : [Number(pull)],
  }
  const page = {
    limit: size,
    offset: (number - 1) * size,
    sort: [{ key: 'number', descending: true }],
    counted: true,
  }
  const branches = [branch === '' ? repository.default_branch_name : branch]
  const [{ records: builds, count }, lastBuilds, requests, deliveries, notices, had] =
    await Promise.all([
      pageOfBuilds(db, repository, wanted, page),
      filteredBuilds(db, repository, { branches }, mostBars),
      isFirst ? unbuiltRequests(db, repository.id, viewerId, mostRequests) : [],
      isFirst ? idleDeliveries(db, repository, mostDeliveries) : [],
      noticesOf(repository),
      hadBuildFile(db, repository.id, visibleIn(repository, 'requests')),
    ])
  const relatedTo = await relatedRecords(db, [...builds, ...requests])
  const rights = repositoryRights(viewer, repository)
  const isKnown = viewer.user !== undefined
  const acts = isKnown && hasScope(viewer, 'builds')
  return {
    repository,
    notices,
    deliveries,
    hadBuildFile: had,
    builds: builds.map((build) => ({ build, ...relatedTo(build) })),
    requests: requests.map((request) => ({ request, ...relatedTo(request) })),
    paging: { number, size, count: count ?? 0 },
    filter,
    lastBuilds,
    can: {
      build: acts && rights.create_request,
      approve: acts && rights.write,
      change: isKnown && hasScope(viewer, 'settings') && rights.create_env_var,
    },
  }
}

interface WithIds {
  commit_id: number | null
  pull_request_id: number | null
}

/** Reads the commits and pull requests of a list together; returns a function that looks up a record's. */
async function relatedRecords(db: Database, records: readonly WithIds[]) {
  const [commits, pulls] = await Promise.all([
    commitsByIds(
      db,
      records.flatMap(({ commit_id }) => commit_id ?? []),
    ),
    pullRequestsByIds(
      db,
      records.flatMap(({ pull_request_id }) => pull_request_id ?? []),
    ),
  ])
  const [commitOf, pullOf] = [byId(commits), byId(pulls)]
  return ({ commit_id, pull_request_id }: WithIds) => ({
    commit: commitOf(commit_id),
    pullRequest: pullOf(pull_request_id),
  })
}
