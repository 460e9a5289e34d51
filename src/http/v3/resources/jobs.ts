import { permittedUser } from '../../../access/viewer.ts'
import { type JobState, jobStates, unfinished } from '../../../domain/job/job.ts'
import { jobSortKeys, pageOfJobs } from '../../../store/jobs/paged-jobs.ts'
import { inTheirRepositories } from '../../../store/repositories/repository-access.ts'
import { anyOf, filterFlag } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import type { QueryOf } from '../core/list-query.ts'
import { listSteps, openPageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { asPart, jobsOf } from '../records/build-parts.ts'
import { oneBuild } from '../records/one-build.ts'
import { viewOf } from '../render/view-of.ts'
import { job } from './job.ts'

/** The newest jobs of the repositories on which the caller has a role. */
export const jobs = collectionOf<Models['job']>()({
  type: 'jobs',
  of: job,
  limit: 100,
  sort: { keys: jobSortKeys, default: ['id:desc', 'state'] },
  filters: {
    'job.active': described(
      'true for all jobs that have not finished, in addition to the jobs of `state`',
      filterFlag(),
    ),
    'job.created_by': described(
      'logins of the users who triggered their builds, in any case',
      anyOf(),
    ),
    'job.state': described(`any of ${jobStates.join(', ')}`, anyOf()),
  },
})

/** The jobs of a build, which have no pages. */
const ofBuild = collectionOf<Models['job']>()({ type: jobs.type, of: job })

/** The states to filter by, if any: the named states, and with `active` all unfinished states. */
function statesIn({ filters }: QueryOf<typeof jobs>): JobState[] | undefined {
  const named = filters['job.state']
  const isActive = filters['job.active'] === true
  if (named.length === 0 && !isActive) return undefined
  return jobStates.filter(
    (state) =>
      named.includes(state) || (isActive && (unfinished as readonly JobState[]).includes(state)),
  )
}

export const jobsActions = actionsOf(jobs, {
  find: get(
    '/build/{build.id}/jobs',
    listSteps(
      ofBuild,
      {
        ...oneBuild,
        right: 'read',
        docs: { summary: 'the jobs of a build, by their ids; not paginated' },
      },
      async (call, build) => (await jobsOf(viewOf(call), [asPart(build)])).flat(),
    ),
  ),
  for_current_user: get(
    '/jobs',
    openPageSteps(
      jobs,
      {
        login: true,
        docs: {
          summary:
            'the newest jobs of the repositories on which the caller has a role: at most 100 for each repository, or 100 for each state that is named',
        },
      },
      async ({ ctx: { db }, viewer }, query) => {
        const userId = permittedUser(viewer)
        if (userId === undefined) return { records: [], count: 0 }
        const creators = query.filters['job.created_by']
        const page = await pageOfJobs(db, userId, { states: statesIn(query), creators }, query)
        return { ...page, records: await inTheirRepositories(db, page.records, userId) }
      },
    ),
  ),
})
