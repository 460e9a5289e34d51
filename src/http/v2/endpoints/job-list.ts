import { listViewer } from '../../../access/viewer.ts'
import { wrongParams } from '../../../domain/errors.ts'
import { jobStates } from '../../../domain/job.ts'
import { isStorable } from '../../../domain/storable-text.ts'
import { commitsByIds } from '../../../store/commits.ts'
import { type ListedJob, listedJobsByIds, newestJobs } from '../../../store/listed-jobs.ts'
import { type Call, get } from '../../endpoint.ts'
import { filterText, idList, words } from '../../parameters/kinds.ts'
import type { Values } from '../../parameters/parameter.ts'
import { answers } from '../openapi/answers.ts'
import { presentCommit } from '../present/commit.ts'
import { presentJob } from '../present/job.ts'

const mostJobs = 250

const accepts = { ids: idList(), state: words(jobStates), queue: filterText() }

export const jobListEndpoints = [
  get('/jobs', {
    accepts,
    docs: { schema: answers.jobs },
    async answer(call, values) {
      const jobs = await selected(call, values)
      const commits = await commitsByIds(call.ctx.db, [...new Set(jobs.map(commitIdOf))])
      return {
        jobs: jobs.map((job) => presentJob(job, job.repository, job.from_fork)),
        commits: commits.map(presentCommit),
      }
    },
  }),
]

const commitIdOf = ({ commit_id }: ListedJob) => commit_id

async function selected(
  { ctx, viewer }: Call,
  { ids, state, queue }: Values<typeof accepts>,
): Promise<ListedJob[]> {
  if (ids) return listedJobsByIds(ctx.db, ids, listViewer(viewer))
  if (state === undefined && queue === undefined)
    throw wrongParams('one of ids, state, queue is required')
  if (state?.length === 0 || !isStorable(queue ?? '')) return []
  return newestJobs(ctx.db, { states: state, queue }, listViewer(viewer), mostJobs)
}
