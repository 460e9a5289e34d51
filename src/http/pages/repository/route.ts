import { permittedUser } from '../../../access/viewer.ts'
import { buildsOfRepository } from '../../../store/builds/builds.ts'
import { commitsByIds } from '../../../store/commits/commits.ts'
import { idleDeliveries } from '../../../store/deliveries/listed-deliveries.ts'
import { pullRequestsByIds } from '../../../store/repositories/load-by-ids.ts'
import { hadBuildFile } from '../../../store/requests/raw-configs.ts'
import { unbuiltRequests } from '../../../store/requests/requests.ts'
import { visibleIn } from '../../../store/sql/visibility.ts'
import type { Database } from '../../../store/tables.ts'
import { get } from '../../core/endpoint.ts'
import { byId } from '../../core/path-id.ts'
import { asPage } from '../as-page.tsx'
import { oneRepository } from '../one-repository.ts'
import { pageNumberIn } from '../parts/pager.tsx'
import { RepositoryPage } from './page.tsx'

const size = 50
const mostRequests = 25
const mostDeliveries = 10

export const repositoryPages = [
  get('/:owner/:name', {
    ...oneRepository,
    right: 'read',
    async act({ ctx: { db, noticesOf }, viewer, query }, repository) {
      const viewerId = permittedUser(viewer)
      const number = pageNumberIn(query)
      const [{ records: builds, count }, requests, deliveries, notices, had] = await Promise.all([
        buildsOfRepository(db, repository.id, viewerId, {
          limit: size,
          offset: (number - 1) * size,
          sort: [{ key: 'number', descending: true }],
          counted: true,
        }),
        number === 1 ? unbuiltRequests(db, repository.id, viewerId, mostRequests) : [],
        number === 1 ? idleDeliveries(db, repository, mostDeliveries) : [],
        noticesOf(repository),
        hadBuildFile(db, repository.id, visibleIn(repository, 'requests')),
      ])
      const relatedTo = await relatedRecords(db, [...builds, ...requests])
      return {
        repository,
        notices,
        deliveries,
        hadBuildFile: had,
        builds: builds.map((build) => ({ build, ...relatedTo(build) })),
        requests: requests.map((request) => ({ request, ...relatedTo(request) })),
        paging: { number, size, count: count ?? 0 },
      }
    },
    present: asPage(RepositoryPage),
  }),
]

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
