import { listViewer, permittedUser } from '../../../access/viewer.ts'
import { buildStates } from '../../../domain/build.ts'
import { eventTypes } from '../../../domain/request/request.ts'
import { buildSortKeys, pageOfBuilds, pageOfBuildsBy } from '../../../store/builds/paged-builds.ts'
import { inTheirRepositories } from '../../../store/repositories/repository-access.ts'
import { actorOf } from '../../identity/actor.ts'
import { anyOf } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { openPageSteps, pageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'
import { build } from './build.ts'

/** The builds of a repository. */
export const builds = collectionOf<Models['build']>()({
  type: 'builds',
  of: build,
  limit: 25,
  sort: { keys: buildSortKeys, default: ['number:desc', 'id:desc'] },
  filters: {
    'build.state': described(`any of ${buildStates.join(', ')}`, anyOf()),
    'build.previous_state': described('states of the previous build of the same branch', anyOf()),
    'build.event_type': described(`any of ${eventTypes.join(', ')}`, anyOf()),
    'build.created_by': described('logins of the users who triggered them, in any case', anyOf()),
    'branch.name': described(
      'names of branches; of builds of pull requests, their base branches',
      anyOf(),
    ),
  },
})

/** The builds that the caller triggered. */
const ofCaller = { ...builds, limit: 100, filters: {} }

export const buildsActions = actionsOf(builds, {
  find: get(
    repositoryTemplates('/builds'),
    pageSteps(
      builds,
      {
        ...oneRepository,
        right: 'read',
        docs: { summary: 'the builds of a repository, the highest number first' },
      },
      async ({ ctx }, repository, query) => {
        const filter = {
          states: query.filters['build.state'],
          previous_states: query.filters['build.previous_state'],
          event_types: query.filters['build.event_type'],
          creators: query.filters['build.created_by'],
          branches: query.filters['branch.name'],
        }
        const { records, count } = await pageOfBuilds(ctx.db, repository, filter, query)
        return { records: records.map((record) => ({ ...record, repository })), count }
      },
    ),
  ),
  for_current_user: get(
    '/builds',
    openPageSteps(
      ofCaller,
      {
        login: true,
        docs: {
          summary:
            'the builds that the caller has triggered, in all states and in all repositories that the caller can see',
        },
      },
      async (call, query) => {
        const { db } = call.ctx
        const { user } = actorOf(call)
        const page = await pageOfBuildsBy(db, user.id, listViewer(call.viewer), query)
        const userId = permittedUser(call.viewer)
        return { ...page, records: await inTheirRepositories(db, page.records, userId) }
      },
    ),
  ),
})
