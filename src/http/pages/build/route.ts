import { buildRights } from '../../../access/build-rights.ts'
import { hasScope } from '../../../access/scopes.ts'
import { isVisible } from '../../../access/visibility.ts'
import type { Build } from '../../../domain/build.ts'
import { stateConflict } from '../../../domain/errors.ts'
import type { Job } from '../../../domain/job/job.ts'
import { shownMessages } from '../../../domain/request/config-errors.ts'
import { cancelBuild } from '../../../flow/builds/cancel-build.ts'
import { restartBuild } from '../../../flow/builds/restart-build.ts'
import { reportsOfJobs } from '../../../flow/failures/run-report.ts'
import { endIfReachable } from '../../../flow/logs/read-log.ts'
import { approveRequest } from '../../../flow/requests/approve-request.ts'
import { newestBuildOfPull } from '../../../store/builds/builds.ts'
import { stagesOfBuild } from '../../../store/builds/stages.ts'
import { versionsOfBuild } from '../../../store/jobs/job-versions.ts'
import { jobsOfBuild } from '../../../store/jobs/jobs.ts'
import { queuePositions } from '../../../store/jobs/queue-positions.ts'
import { blockedSenderOf } from '../../../store/people/blocked-senders.ts'
import { findSeenBuild } from '../../../store/repositories/repository-access.ts'
import { settingsOf } from '../../../store/repositories/settings.ts'
import { messagesOfRequest } from '../../../store/requests/request-messages.ts'
import { type Call, get, post } from '../../core/endpoint.ts'
import { findKept, type InRepository } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { refusalOfLog } from '../../identity/log-access.ts'
import { failureIn, hasFailed, type LogFailure, shownFailure } from '../../views/log-failure.ts'
import { refusedBuildRestart } from '../../views/refused-restart.ts'
import { asPage } from '../as-page.tsx'
import { buildContextOf } from '../build-context.ts'
import { type Notice, submit } from '../notice.ts'
import { isUnder } from '../one-repository.ts'
import { buildPath } from '../paths.ts'
import { mostAttempts } from './attempts.tsx'
import { CancelPage } from './cancel-page.tsx'
import { failureLines, mostFailures } from './failures.tsx'
import { BuildPage } from './page.tsx'

const oneBuild = {
  type: 'build',
  async find(call: Call) {
    const build = await findKept(call, 'build', call.params.build, findSeenBuild)
    return build && isUnder(call, build) ? build : undefined
  },
  rights: buildRights,
}

const show = asPage(BuildPage)

export const buildPages = [
  get('/:owner/:name/builds/:build', {
    ...oneBuild,
    right: 'read',
    act: (call, build) => shown(call, build),
    present: (read, call) => show(read, call),
  }),

  get('/:owner/:name/builds/:build/cancel', {
    ...oneBuild,
    login: true,
    scope: 'builds',
    right: 'cancel',
    async act({ ctx: { db } }, build) {
      const jobs = (await jobsOfBuild(db, build.id)).filter((job) =>
        isVisible(build.repository, job),
      )
      return { repository: build.repository, build, jobs }
    },
    present: asPage(CancelPage),
  }),

  formOf('cancel', 'cancel', 'canceled', async (call, build) => {
    const canceled = await cancelBuild(call.ctx, actorOf(call), build.id)
    if (canceled.length === 0) throw stateConflict('build_not_cancelable', build)
  }),

  formOf('restart', 'restart', 'restarted', (call, build) => restart(call, build, 'all')),

  formOf('restart_failed', 'restart', 'failed_restarted', (call, build) =>
    restart(call, build, 'failed'),
  ),

  formOf('approve', 'write', 'approved', async (call, build) => {
    await approveRequest(call.ctx, actorOf(call), build.request_id)
  }),
]

/** A form of the page: it leads back there, with the reason if it could change nothing. */
function formOf(
  name: 'approve' | 'cancel' | 'restart' | 'restart_failed',
  right: 'cancel' | 'restart' | 'write',
  notice: Notice,
  change: (call: Call, build: InRepository<Build>) => Promise<void>,
) {
  return post(`/:owner/:name/builds/:build/${name}`, {
    ...oneBuild,
    login: true,
    scope: 'builds',
    right,
    act: (call, build) =>
      submit(call, () => change(call, build), {
        path: buildPath(call.ctx.site.prefix, build.repository, build),
        notice,
        async refused(problem) {
          const now = (await oneBuild.find(call)) ?? build
          return show({ ...(await shown(call, now)), problem }, call, 422)
        },
      }),
    present: (answer) => answer,
  })
}

async function restart(
  call: Call,
  build: InRepository<Build>,
  only: 'all' | 'failed',
): Promise<void> {
  // A second click, or a build that will run anyway.
  if (build.state === 'created') return
  const restarted = await restartBuild(call.ctx, actorOf(call), build.id, { only })
  if (!restarted) throw refusedBuildRestart(build)
}

async function shown(call: Call, build: InRepository<Build>) {
  const {
    ctx: { db, reportNoticesOf },
    viewer,
  } = call
  const [context, messages, stages, jobs, positions, settings, versions] = await Promise.all([
    buildContextOf(db, build),
    messagesOfRequest(db, build.request_id),
    stagesOfBuild(db, build.id),
    jobsOfBuild(db, build.id),
    queuePositions(db, [build.id]),
    settingsOf(db, build.repository_id),
    versionsOfBuild(db, build.id, mostAttempts),
  ])
  const blocked = build.waits_for_approval ? await blockedSenderOf(db, build.request_id) : null
  const { request, commit, pullRequest } = context
  const isOld = pullRequest !== null && pullRequest.head_sha !== request?.head_commit
  const newest = isOld ? await newestBuildOfPull(db, pullRequest.id) : undefined
  const visibleJobs = jobs.filter((job) => isVisible(build.repository, job))
  const isReadable = (job: Job) =>
    !refusalOfLog(call, { ...job, repository: build.repository, repository_settings: settings })
  const readable = visibleJobs.filter(isReadable)
  const shownRequest = request && isVisible(build.repository, request) ? request : null
  const rights = buildRights(viewer, build)
  const changes = viewer.user !== undefined && hasScope(viewer, 'builds')
  return {
    ...context,
    request: shownRequest,
    messages: shownRequest ? shownMessages(messages) : [],
    notices: request ? await reportNoticesOf(request, commit) : [],
    stages,
    jobs: visibleJobs,
    readable: new Set(readable.map(({ id }) => id)),
    failures: await shownFailures(call.ctx, readable),
    positions,
    versions,
    newer:
      newest && newest.id > build.id && isVisible(build.repository, newest) ? newest : undefined,
    can: { restart: changes && rights.restart, cancel: changes && rights.cancel },
    canApprove: changes && rights.write,
    blockedSender: blocked ?? null,
  }
}

/** Enough for the shown lines, and for the output of a job after its scripts. */
const endCharacters = 20_000

/** The reasons why the first failed jobs failed; if they are unknown, the ends of their logs. */
async function shownFailures(
  ctx: Call['ctx'],
  jobs: readonly Job[],
): Promise<ReadonlyMap<number, LogFailure>> {
  const failed = jobs.filter(hasFailed).slice(0, mostFailures)
  const known = await reportsOfJobs(
    ctx,
    failed.map(({ id }) => id),
  )
  const found = await Promise.all(
    failed.map(async ({ id }) => {
      const cause = known.get(id)
      const failure =
        (cause && shownFailure(cause, failureLines)) ??
        failureIn((await endIfReachable(ctx, id, endCharacters)) ?? '', failureLines, false)
      return failure ? [[id, failure] as const] : []
    }),
  )
  return new Map(found.flat())
}
