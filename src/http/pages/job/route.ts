import { jobRights } from '../../../access/build-rights.ts'
import { findBuild } from '../../../store/builds.ts'
import { partsOfLog } from '../../../store/logs.ts'
import { queuePositions } from '../../../store/queue-positions.ts'
import { findSeenJob } from '../../../store/seen.ts'
import { stagesOfBuild } from '../../../store/stages.ts'
import { type Call, get } from '../../endpoint.ts'
import { findRecord } from '../../find-record.ts'
import { asPage } from '../as-page.tsx'
import { buildContextOf } from '../build-context.ts'
import { isUnder } from '../one-repository.ts'
import { JobPage } from './page.tsx'

export const jobPages = [
  get('/:owner/:name/jobs/:job', {
    type: 'job',
    async find(call: Call) {
      const job = await findRecord(call, call.params.job, findSeenJob)
      return job && isUnder(call, job) ? job : undefined
    },
    rights: jobRights,
    right: 'view_log',
    async act({ ctx: { db } }, job) {
      const build = await findBuild(db, job.build_id)
      if (!build) throw new Error(`job ${job.id} has lost its build`)
      const [context, stages, parts, positions] = await Promise.all([
        buildContextOf(db, { ...build, repository: job.repository }),
        stagesOfBuild(db, build.id),
        partsOfLog(db, job.id),
        queuePositions(db, build.id),
      ])
      const stage = stages.find(({ id }) => id === job.stage_id) ?? null
      const position = positions.get(job.id)
      return { ...context, job, position, stage, log: parts.map(({ content }) => content).join('') }
    },
    present: asPage(JobPage),
  }),
]
