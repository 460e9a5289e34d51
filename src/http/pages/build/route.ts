import { buildRights } from '../../../access/build-rights.ts'
import { isVisible } from '../../../access/visibility.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { Job } from '../../../domain/job/job.ts'
import { shownMessages } from '../../../domain/request/config-errors.ts'
import { approveRequest } from '../../../flow/requests/approve-request.ts'
import { stagesOfBuild } from '../../../store/builds/stages.ts'
import { jobsOfBuild } from '../../../store/jobs/jobs.ts'
import { queuePositions } from '../../../store/jobs/queue-positions.ts'
import { blockedSenderOf } from '../../../store/people/blocked-senders.ts'
import { findSeenBuild } from '../../../store/repositories/repository-access.ts'
import { settingsOf } from '../../../store/repositories/settings.ts'
import { messagesOfRequest } from '../../../store/requests/request-messages.ts'
import { redirect } from '../../core/answer.ts'
import { type Call, get, post } from '../../core/endpoint.ts'
import { findKept } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { refusalOfLog } from '../../identity/log-access.ts'
import { asPage } from '../as-page.tsx'
import { buildContextOf } from '../build-context.ts'
import { isUnder } from '../one-repository.ts'
import { buildPath } from '../paths.ts'
import { BuildPage } from './page.tsx'

const oneBuild = {
  type: 'build',
  async find(call: Call) {
    const build = await findKept(call, 'build', call.params.build, findSeenBuild)
    return build && isUnder(call, build) ? build : undefined
  },
  rights: buildRights,
}

export const buildPages = [
  get('/:owner/:name/builds/:build', {
    ...oneBuild,
    right: 'read',
    async act(call, build) {
      const {
        ctx: { db, reportNoticesOf },
        viewer,
      } = call
      const [context, messages, stages, jobs, positions, settings] = await Promise.all([
        buildContextOf(db, build),
        messagesOfRequest(db, build.request_id),
        stagesOfBuild(db, build.id),
        jobsOfBuild(db, build.id),
        queuePositions(db, [build.id]),
        settingsOf(db, build.repository_id),
      ])
      const blocked = build.waits_for_approval ? await blockedSenderOf(db, build.request_id) : null
      const { request, commit } = context
      const visibleJobs = jobs.filter((job) => isVisible(build.repository, job))
      const isReadable = (job: Job) =>
        !refusalOfLog(call, { ...job, repository: build.repository, repository_settings: settings })
      const shown = request && isVisible(build.repository, request) ? request : null
      return {
        ...context,
        request: shown,
        messages: shown ? shownMessages(messages) : [],
        notices: request ? await reportNoticesOf(request, commit) : [],
        stages,
        jobs: visibleJobs,
        readable: new Set(visibleJobs.filter(isReadable).map(({ id }) => id)),
        positions,
        canApprove: buildRights(viewer, build).write,
        blockedSender: blocked ?? null,
      }
    },
    present: asPage(BuildPage),
  }),

  post('/:owner/:name/builds/:build/approve', {
    ...oneBuild,
    login: true,
    scope: 'builds',
    right: 'write',
    async act(call, build) {
      await approveRequest(call.ctx, actorOf(call), build.request_id).catch(unlessMoved)
      return build
    },
    present: (build, { ctx }) => redirect(buildPath(ctx.site.prefix, build.repository, build), 303),
  }),
]

/** Ignores that a build can no longer be approved, because its page shows that. */
function unlessMoved(error: unknown): void {
  if (!(error instanceof ServiceError) || error.kind !== 'unprocessable_entity') throw error
}
