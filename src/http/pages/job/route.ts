import { jobRights } from '../../../access/build-rights.ts'
import { findBuild } from '../../../store/builds/builds.ts'
import { stagesOfBuild } from '../../../store/builds/stages.ts'
import { versionsOfJob } from '../../../store/jobs/job-versions.ts'
import { partsOfLog } from '../../../store/jobs/logs.ts'
import { queuePositions } from '../../../store/jobs/queue-positions.ts'
import { findSeenLog } from '../../../store/repositories/repository-access.ts'
import { type Call, get } from '../../core/endpoint.ts'
import { findKept } from '../../core/path-id.ts'
import { refusalOfLog } from '../../identity/log-access.ts'
import { logTokenFor } from '../../identity/log-token.ts'
import { anonymousLogs } from '../../identity/rate-limits.ts'
import { asPage } from '../as-page.tsx'
import { buildContextOf } from '../build-context.ts'
import { isUnder } from '../one-repository.ts'
import { JobPage } from './page.tsx'

export const jobPages = [
  get('/:owner/:name/jobs/:job', {
    type: 'job',
    async find(call: Call) {
      const job = await findKept(call, 'job', call.params.job, findSeenLog)
      return job && isUnder(call, job) ? job : undefined
    },
    rights: jobRights,
    right: 'view_log',
    rate: anonymousLogs,
    async act(call, job) {
      const { db } = call.ctx
      const versions = await versionsOfJob(db, job.id)
      const shown = versions.find(({ number }) => String(number) === call.query.attempt)
      const refusal = refusalOfLog(call, job, shown)
      const build = await findBuild(db, job.build_id)
      if (!build) throw new Error(`job ${job.id} has lost its build`)
      const [context, stages, parts, positions] = await Promise.all([
        buildContextOf(db, { ...build, repository: job.repository }),
        stagesOfBuild(db, build.id),
        refusal ? [] : partsOfLog(db, job.id, shown?.number),
        queuePositions(db, [build.id]),
      ])
      const stage = stages.find(({ id }) => id === job.stage_id) ?? null
      const position = positions.get(job.id)
      const log = parts.map(({ content }) => content).join('')
      const logToken = refusal ? undefined : logTokenFor(call, job)
      const hidden = refusal?.message
      return { ...context, job, position, stage, log, logToken, hidden, versions, shown }
    },
    present: asPage(JobPage),
  }),
]
