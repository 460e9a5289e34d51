import { buildRights } from '../../../access/build-rights.ts'
import { repositoryRights } from '../../../access/repository-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { isStorable } from '../../../domain/text/storable-text.ts'
import { recordsOfBuild } from '../../../store/builds/build-records.ts'
import { findSeenBuildOfBranch } from '../../../store/repositories/repository-access.ts'
import { type Call, get } from '../../core/endpoint.ts'
import { idList } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { emptyLists } from '../empty-lists.ts'
import {
  branchBuildsOf,
  buildsByIds,
  type BuildWithRecords,
  withRecords,
} from '../listed-builds.ts'
import {
  oneRepository,
  refIn,
  repositoryInQuery,
  repositoryNames,
  repositoryPaths,
} from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { presentBuild } from '../present/build.ts'
import { presentBuilds } from '../present/builds.ts'
import { presentCommitsOf, presentSingleCommit } from '../present/commit.ts'
import { mostHeld, streamLists } from '../stream-lists.ts'

const missing = emptyLists('branches', 'commits')

/** A branch is shown as its newest build that is not of a pull request. */
export const branchEndpoints = [
  get('/branches', {
    ...repositoryInQuery,
    accepts: { ...repositoryNames, ids: described('ids of builds', idList()) },
    docs: {
      summary: 'the newest build of each branch of a repository, or the builds with these ids',
      schema: answers.branches,
    },
    // `ids` are ids of builds, of any repositories.
    async find(call) {
      return call.given.ids === undefined ? repositoryInQuery.find(call) : 'builds'
    },
    rights: (viewer, of) => (of === 'builds' ? { read: true } : repositoryRights(viewer, of)),
    right: 'read',
    async act(call, of, { ids = [] }) {
      if (of !== 'builds') return branchList(call, of)
      if (ids.length <= mostHeld) return presented(await buildsByIds(call, ids))
      return streamLists(ids, (batch) => buildsByIds(call, batch), lists)
    },
    present: (list) => list,
    missing,
  }),

  get(repositoryPaths('/branches'), {
    ...oneRepository,
    docs: { summary: 'the newest build of each branch', schema: answers.branches },
    right: 'read',
    act: branchList,
    present: (list) => list,
    missing,
  }),

  get(repositoryPaths('/branches/*'), {
    type: 'branch',
    docs: { summary: 'the newest build of a branch', schema: answers.branch },
    find: ({ ctx, params, viewer }: Call) =>
      findSeenBuildOfBranch(ctx.db, refIn(params), namesIn(params['*']), permittedUser(viewer)),
    rights: buildRights,
    right: 'read',
    version: ({ version }) => version,
    act: async ({ ctx, viewer }, build) => ({
      build,
      ...(await recordsOfBuild(ctx.db, build, permittedUser(viewer))),
    }),
    present({ build, commit, pull, jobs }) {
      const ids = jobs.map(({ id }) => id)
      return {
        branch: presentBuild(build, pull, ids),
        commit: presentSingleCommit(commit, build.repository),
      }
    },
  }),
]

const lists = { branches: presentBuilds, commits: presentCommitsOf }

async function branchList(call: Call, repository: Seen<Repository>) {
  return presented(await withRecords(call, await branchBuildsOf(call, repository)))
}

function presented(listed: readonly BuildWithRecords[]) {
  return { branches: presentBuilds(listed), commits: presentCommitsOf(listed) }
}

/** The given text can be one name with commas, or a list of names: all readings are included. */
function namesIn(given = ''): string[] {
  return isStorable(given) ? [...new Set([given, ...given.split(',')])] : []
}
