import { buildRights } from '../../../access/build-rights.ts'
import { isVisible } from '../../../access/visibility.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { shownMessages } from '../../../domain/request/shown-messages.ts'
import { approveRequest } from '../../../flow/approve-request.ts'
import { jobsOfBuild } from '../../../store/jobs.ts'
import { blockedSenderOf } from '../../../store/blocked-senders.ts'
import { queuePositions } from '../../../store/queue-positions.ts'
import { messagesOfRequest } from '../../../store/request-messages.ts'
import { findSeenBuild } from '../../../store/seen.ts'
import { stagesOfBuild } from '../../../store/stages.ts'
import { actorOf } from '../../actor.ts'
import { redirect } from '../../answer.ts'
import { type Call, get, post } from '../../endpoint.ts'
import { findRecord } from '../../find-record.ts'
import { asPage } from '../as-page.tsx'
import { buildContextOf } from '../build-context.ts'
import { isUnder } from '../one-repository.ts'
import { buildPath } from '../paths.ts'
import { BuildPage } from './page.tsx'

const oneBuild = {
  type: 'build',
  async find(call: Call) {
    const build = await findRecord(call, call.params.build, findSeenBuild)
    return build && isUnder(call, build) ? build : undefined
  },
  rights: buildRights,
}

export const buildPages = [
  get('/:owner/:name/builds/:build', {
    ...oneBuild,
    right: 'read',
    async act({ ctx: { db }, viewer }, build) {
      const [context, messages, stages, jobs, positions] = await Promise.all([
        buildContextOf(db, build),
        messagesOfRequest(db, build.request_id),
        stagesOfBuild(db, build.id),
        jobsOfBuild(db, build.id),
        queuePositions(db, [build.id]),
      ])
      const blocked = build.waits_for_approval ? await blockedSenderOf(db, build.request_id) : null
      const { request } = context
      const shown = request && isVisible(build.repository, request) ? request : null
      return {
        ...context,
        request: shown,
        messages: shown ? shownMessages(messages) : [],
        stages,
        jobs: jobs.filter((job) => isVisible(build.repository, job)),
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

/** What cannot be approved any more says so on its page. */
function unlessMoved(error: unknown): void {
  if (!(error instanceof ServiceError) || error.kind !== 'unprocessable_entity') throw error
}
