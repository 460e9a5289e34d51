import { permittedUser } from '../../../access/viewer.ts'
import { type JobState, jobStates, unfinished } from '../../../domain/job/job.ts'
import { jobSortKeys, pageOfJobs } from '../../../store/paged-jobs.ts'
import { inTheirRepositories } from '../../../store/seen.ts'
import { anyOf, filterFlag } from '../../parameters/kinds.ts'
import { actionsOf, get } from '../action.ts'
import { asPart, jobsOf } from '../build-parts.ts'
import { collectionOf } from '../collection.ts'
import type { QueryOf } from '../list-query.ts'
import { oneBuild } from '../one-build.ts'
import { listSteps, openPageSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
import { viewOf } from '../view-of.ts'
import { job } from './job.ts'
import { described } from '../../parameters/parameter.ts'

/** The newest jobs of the repositories on which the caller has a role. */
export const jobs = collectionOf<Models['job']>()({
  type: 'jobs',
  of: job,
  limit: 100,
  sort: { keys: jobSortKeys, default: ['id:desc', 'state'] },
  filters: {
    'job.active': described(
      'true for all jobs that have not finished, besides those of `state`',
      filterFlag(),
    ),
    'job.created_by': described('logins of those who triggered their builds, in any case', anyOf()),
    'job.state': described(`any of ${jobStates.join(', ')}`, anyOf()),
  },
})

/** Those of a build, which have no pages. */
const ofBuild = collectionOf<Models['job']>()({ type: jobs.type, of: job })

/** The states that are filtered by, if any are: those that are named, and with `active` all that last. */
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
            'the newest jobs of the repositories on which the caller has a role, of each at most 100, or 100 in each state that is named',
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
