import { jobRights } from '../../../access/build-rights.ts'
import { hasScope } from '../../../access/scopes.ts'
import { isVisible } from '../../../access/visibility.ts'
import { ServiceError, stateConflict } from '../../../domain/errors.ts'
import { isFinished } from '../../../domain/job/job.ts'
import { notesOnRun, reportOfAttempt } from '../../../flow/failures/run-report.ts'
import { cancelJob } from '../../../flow/jobs/cancel-job.ts'
import { restartJob } from '../../../flow/jobs/restart-job.ts'
import { type LogSource, textOfLog } from '../../../flow/logs/read-log.ts'
import { findBuild } from '../../../store/builds/builds.ts'
import { stagesOfBuild } from '../../../store/builds/stages.ts'
import { versionsOfJob } from '../../../store/jobs/job-versions.ts'
import { jobsOfBuild } from '../../../store/jobs/jobs.ts'
import { secretsFoundIn } from '../../../store/jobs/log-scans.ts'
import { queuePositions } from '../../../store/jobs/queue-positions.ts'
import { findSeenLog, type SeenLog } from '../../../store/repositories/repository-access.ts'
import { foundSecrets } from '../../../texts/log-endings.ts'
import { type Call, get, post } from '../../core/endpoint.ts'
import { findKept } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { refusalOfLog } from '../../identity/log-access.ts'
import { logTokenFor } from '../../identity/log-token.ts'
import { anonymousLogs } from '../../identity/rate-limits.ts'
import { failureIn, hasFailed, shownFailure } from '../../views/log-failure.ts'
import { refusedJobRestart } from '../../views/refused-restart.ts'
import { asPage } from '../as-page.tsx'
import { buildContextOf } from '../build-context.ts'
import { type Notice, submit } from '../notice.ts'
import { isUnder } from '../one-repository.ts'
import { jobPath } from '../paths.ts'
import { JobPage } from './page.tsx'

const oneJob = {
  type: 'job',
  async find(call: Call) {
    const job = await findKept(call, 'job', call.params.job, findSeenLog)
    return job && isUnder(call, job) ? job : undefined
  },
  rights: jobRights,
}

const show = asPage(JobPage)

/** Lines of output that are shown of the command that failed. */
const failureLines = 6

export const jobPages = [
  get('/:owner/:name/jobs/:job', {
    ...oneJob,
    right: 'view_log',
    rate: anonymousLogs,
    act: (call, job) => shown(call, job),
    present: (read, call) => show(read, call),
  }),

  formOf('restart', 'restarted', async (call, job) => {
    // A second click, or a job that will run anyway.
    if (job.state === 'created') return
    if (!(await restartJob(call.ctx, actorOf(call), job.id))) throw refusedJobRestart(job)
  }),

  formOf('cancel', 'canceled', async (call, job) => {
    const canceled = await cancelJob(call.ctx, actorOf(call), job.id)
    if (!canceled) throw stateConflict('job_not_cancelable', job)
  }),
]

/** A form of the page: it leads back there, with the reason if it could change nothing. */
function formOf(
  name: 'cancel' | 'restart',
  notice: Notice,
  change: (call: Call, job: SeenLog) => Promise<void>,
) {
  return post(`/:owner/:name/jobs/:job/${name}`, {
    ...oneJob,
    login: true,
    scope: 'builds',
    right: name,
    act: (call, job) =>
      submit(call, () => change(call, job), {
        path: jobPath(call.ctx.site.prefix, job.repository, job),
        notice,
        async refused(problem) {
          const now = (await oneJob.find(call)) ?? job
          return show({ ...(await shown(call, now)), problem }, call, 422)
        },
      }),
    present: (answer) => answer,
  })
}

/** The text of a log, or why it cannot be shown at the moment. */
async function logOrReason(source: LogSource, jobId: number, attempt: number | undefined) {
  try {
    return { log: await textOfLog(source, jobId, attempt), hidden: undefined }
  } catch (error) {
    if (error instanceof ServiceError) return { log: '', hidden: error.message }
    throw error
  }
}

async function shown(call: Call, job: SeenLog) {
  const { viewer } = call
  const { db } = call.ctx
  const versions = await versionsOfJob(db, job.id)
  const attempt = versions.find(({ number }) => String(number) === call.query.attempt)
  const refusal = refusalOfLog(call, job, attempt)
  const build = await findBuild(db, job.build_id)
  if (!build) throw new Error(`job ${job.id} has lost its build`)
  const failed = hasFailed(attempt ?? job)
  const isLeftOut = call.query.log === 'no'
  const isUnread = refusal !== undefined || (isLeftOut && !failed)
  const [context, stages, { log, hidden }, positions, jobs, report, secrets] = await Promise.all([
    buildContextOf(db, { ...build, repository: job.repository }),
    stagesOfBuild(db, build.id),
    isUnread
      ? { log: '', hidden: refusal?.message }
      : logOrReason(call.ctx, job.id, attempt?.number),
    queuePositions(db, [build.id]),
    jobsOfBuild(db, build.id),
    refusal || !isFinished(attempt ?? job)
      ? undefined
      : reportOfAttempt(call.ctx, job.id, attempt?.number ?? job.attempt),
    secretsFoundIn(db, attempt ? [] : [job.id]),
  ])
  const found = secrets.get(job.id)
  const near = jobs.filter((each) => isVisible(job.repository, each))
  const at = near.findIndex(({ id }) => id === job.id)
  const rights = jobRights(viewer, job)
  const changes = viewer.user !== undefined && hasScope(viewer, 'builds')
  return {
    ...context,
    job,
    position: positions.get(job.id),
    stage: stages.find(({ id }) => id === job.stage_id) ?? null,
    log: isLeftOut ? undefined : log,
    logToken: refusal ? undefined : logTokenFor(call, job),
    hidden,
    versions,
    shown: attempt,
    failure: failed
      ? ((report && shownFailure(report, failureLines)) ?? failureIn(log, failureLines, true))
      : undefined,
    notes: [
      ...(found ? [foundSecrets(found)] : []),
      ...(failed || !report ? [] : notesOnRun(report)),
    ],
    can: { restart: changes && rights.restart, cancel: changes && rights.cancel },
    previous: near[at - 1],
    next: near[at + 1],
  }
}
