import { buildRights } from '../../../access/build-rights.ts'
import type { Build } from '../../../domain/build.ts'
import { newsAmong } from '../../../domain/request.ts'
import { findBuild } from '../../../store/builds.ts'
import { findCommit } from '../../../store/commits.ts'
import { jobsOfBuild } from '../../../store/jobs.ts'
import { findPullRequest } from '../../../store/pull-requests.ts'
import { findRequest, messagesOfRequest } from '../../../store/requests.ts'
import { stagesOfBuild } from '../../../store/stages.ts'
import type { Database } from '../../../store/tables.ts'
import { type Call, get } from '../../endpoint.ts'
import { findMade, type Found } from '../../find-made.ts'
import { page } from '../as-page.tsx'
import { isUnder } from '../one-repository.ts'
import { BuildPage } from './page.tsx'

export const buildPages = [
  get('/:owner/:name/builds/:build', {
    type: 'build',
    async find(call: Call) {
      const { ctx, viewer, params } = call
      const build = await findMade(ctx.db, viewer, params.build, findBuild)
      return build && isUnder(call, build) ? build : undefined
    },
    rights: buildRights,
    right: 'read',
    async act({ ctx: { db } }, build) {
      const [context, request, messages, stages, jobs] = await Promise.all([
        contextOf(db, build),
        findRequest(db, build.request_id),
        messagesOfRequest(db, build.request_id),
        stagesOfBuild(db, build.id),
        jobsOfBuild(db, build.id),
      ])
      return { ...context, request: request ?? null, messages: newsAmong(messages), stages, jobs }
    },
    present: page(BuildPage),
  }),
]

/** What the pages of a build and of its jobs both show around. */
export async function contextOf(db: Database, build: Found<Build>) {
  const { commit_id, pull_request_id, repository } = build
  const [commit, pullRequest] = await Promise.all([
    findCommit(db, commit_id),
    pull_request_id === null ? undefined : findPullRequest(db, pull_request_id),
  ])
  if (!commit) throw new Error(`build ${build.id} has lost its commit`)
  return { repository, build, commit, pullRequest: pullRequest ?? null }
}
