import { listViewer, permittedUser } from '../../../access/viewer.ts'
import { buildSortKeys, pageOfBuilds, pageOfBuildsBy } from '../../../store/paged-builds.ts'
import { inTheirRepositories } from '../../../store/seen.ts'
import { actorOf } from '../../actor.ts'
import { actionsOf, get } from '../action.ts'
import { collectionOf } from '../collection.ts'
import { oneRepository, repositoryTemplates } from '../one-repository.ts'
import { openPageSteps, pageSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
import { build } from './build.ts'

/** The builds of a repository. */
export const builds = collectionOf<Models['build']>()({
  type: 'builds',
  of: build,
  limit: 25,
  sort: { keys: buildSortKeys, default: ['number:desc', 'id:desc'] },
  filters: [
    'build.state',
    'build.previous_state',
    'build.event_type',
    'build.created_by',
    'branch.name',
  ],
})

/** Those that the caller triggered. */
const ofCaller: typeof builds = { ...builds, limit: 100, filters: [] }

export const buildsActions = actionsOf(builds, {
  find: get(
    repositoryTemplates('/builds'),
    pageSteps(builds, { ...oneRepository, right: 'read' }, async ({ ctx }, repository, query) => {
      const filter = {
        states: query.valuesOf('build.state'),
        previous_states: query.valuesOf('build.previous_state'),
        event_types: query.valuesOf('build.event_type'),
        creators: query.valuesOf('build.created_by'),
        branches: query.valuesOf('branch.name'),
      }
      const { records, count } = await pageOfBuilds(ctx.db, repository, filter, query)
      return { records: records.map((record) => ({ ...record, repository })), count }
    }),
  ),
  for_current_user: get(
    '/builds',
    openPageSteps(ofCaller, { login: true }, async (call, query) => {
      const { db } = call.ctx
      const { user } = actorOf(call)
      const page = await pageOfBuildsBy(db, user.id, listViewer(call.viewer), query)
      const userId = permittedUser(call.viewer)
      return { ...page, records: await inTheirRepositories(db, page.records, userId) }
    }),
  ),
})
