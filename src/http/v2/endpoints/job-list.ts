import { listViewer } from '../../../access/viewer.ts'
import type { Commit } from '../../../domain/commit/commit.ts'
import { wrongParams } from '../../../domain/errors.ts'
import { jobStates } from '../../../domain/job/job.ts'
import { isStorable } from '../../../domain/text/storable-text.ts'
import { commitsByIds } from '../../../store/commits/commits.ts'
import { type ListedJob, listedJobsByIds, newestJobs } from '../../../store/jobs/listed-jobs.ts'
import { type Call, get } from '../../core/endpoint.ts'
import { filterText, idList, words } from '../../parameters/kinds.ts'
import { described, type Values } from '../../parameters/parameter.ts'
import { answers } from '../openapi/answers.ts'
import { presentCommitsOf } from '../present/commit.ts'
import { presentJob } from '../present/job.ts'
import { mostHeld, streamLists } from '../stream-lists.ts'

const mostJobs = 250

const accepts = {
  ids: described('ids of jobs', idList()),
  state: words(jobStates),
  queue: described('the name of a queue', filterText()),
}

export const jobListEndpoints = [
  get('/jobs', {
    accepts,
    docs: { summary: 'jobs by their ids, state or queue, the newest first', schema: answers.jobs },
    async answer(call, values) {
      const { ids } = values
      if (!ids) return presented(await withCommits(call, await selected(call, values)))
      const read = async (batch: readonly number[]) => {
        return withCommits(call, await listedJobsByIds(call.ctx.db, batch, listViewer(call.viewer)))
      }
      return ids.length <= mostHeld ? presented(await read(ids)) : streamLists(ids, read, lists)
    },
  }),
]

interface JobWithCommit {
  job: ListedJob
  commit: Commit | null
}

async function withCommits({ ctx }: Call, jobs: readonly ListedJob[]): Promise<JobWithCommit[]> {
  const ids = new Set(jobs.map(({ commit_id }) => commit_id))
  const commits = new Map((await commitsByIds(ctx.db, [...ids])).map((each) => [each.id, each]))
  return jobs.map((job) => ({ job, commit: commits.get(job.commit_id) ?? null }))
}

const lists = {
  jobs: (listed: readonly JobWithCommit[]) =>
    listed.map(({ job }) => presentJob(job, job.repository, job.from_fork)),
  commits: presentCommitsOf,
}

function presented(listed: readonly JobWithCommit[]) {
  return { jobs: lists.jobs(listed), commits: lists.commits(listed) }
}

async function selected(
  { ctx, viewer }: Call,
  { state, queue }: Values<typeof accepts>,
): Promise<ListedJob[]> {
  if (state === undefined && queue === undefined)
    throw wrongParams('one of ids, state, queue is required')
  if (state?.length === 0 || !isStorable(queue ?? '')) return []
  return newestJobs(ctx.db, { states: state, queue }, listViewer(viewer), mostJobs)
}
