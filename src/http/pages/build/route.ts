import { buildRights } from '../../../access/build-rights.ts'
import { withoutDefaults } from '../../../domain/request.ts'
import { jobsOfBuild } from '../../../store/jobs.ts'
import { queuePositions } from '../../../store/queue-positions.ts'
import { messagesOfRequest } from '../../../store/request-messages.ts'
import { findRequest } from '../../../store/requests.ts'
import { findSeenBuild } from '../../../store/seen.ts'
import { stagesOfBuild } from '../../../store/stages.ts'
import { type Call, get } from '../../endpoint.ts'
import { findRecord } from '../../find-record.ts'
import { asPage } from '../as-page.tsx'
import { buildContextOf } from '../build-context.ts'
import { isUnder } from '../one-repository.ts'
import { BuildPage } from './page.tsx'

export const buildPages = [
  get('/:owner/:name/builds/:build', {
    type: 'build',
    async find(call: Call) {
      const build = await findRecord(call, call.params.build, findSeenBuild)
      return build && isUnder(call, build) ? build : undefined
    },
    rights: buildRights,
    right: 'read',
    async act({ ctx: { db } }, build) {
      const [context, request, messages, stages, jobs, positions] = await Promise.all([
        buildContextOf(db, build),
        findRequest(db, build.request_id),
        messagesOfRequest(db, build.request_id),
        stagesOfBuild(db, build.id),
        jobsOfBuild(db, build.id),
        queuePositions(db, [build.id]),
      ])
      return {
        ...context,
        request: request ?? null,
        messages: withoutDefaults(messages),
        stages,
        jobs,
        positions,
      }
    },
    present: asPage(BuildPage),
  }),
]
