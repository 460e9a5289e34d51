import { buildRights } from '../../../access/build-rights.ts'
import { repositoryRights } from '../../../access/repository-rights.ts'
import { listViewer } from '../../../access/viewer.ts'
import { isStorable } from '../../../domain/storable-text.ts'
import { recordsOfBuild } from '../../../store/build-records.ts'
import {
  lastBuildOfAny,
  type ListedBuild,
  listedBuildsByIds,
} from '../../../store/listed-builds.ts'
import { type Call, get } from '../../endpoint.ts'
import { idList } from '../../parameters/kinds.ts'
import { emptyLists } from '../empty-lists.ts'
import { branchBuildsOf, withRecords } from '../listed-builds.ts'
import {
  oneRepository,
  repositoryInQuery,
  repositoryNames,
  repositoryPaths,
} from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { presentBuild } from '../present/build.ts'
import { presentBuilds, presentCommitsOf } from '../present/builds.ts'
import { presentSingleCommit } from '../present/commit.ts'

const missing = emptyLists('branches', 'commits')

/** A branch is shown as its newest build that is no pull request's. */
export const branchEndpoints = [
  get('/branches', {
    ...repositoryInQuery,
    accepts: { ...repositoryNames, ids: idList() },
    docs: { schema: answers.branches },
    // Ids are those of builds, whatever repositories they are of.
    async find(call) {
      return call.given.ids === undefined ? repositoryInQuery.find(call) : 'builds'
    },
    rights: (viewer, of) => (of === 'builds' ? { read: true } : repositoryRights(viewer, of)),
    right: 'read',
    async act(call, of, { ids = [] }) {
      const { ctx, viewer } = call
      const builds =
        of === 'builds'
          ? await listedBuildsByIds(ctx.db, ids, listViewer(viewer))
          : await branchBuildsOf(call, of)
      return listOf(call, builds)
    },
    present: (list) => list,
    missing,
  }),

  get(repositoryPaths('/branches'), {
    ...oneRepository,
    docs: { schema: answers.branches },
    right: 'read',
    act: async (call, repository) => listOf(call, await branchBuildsOf(call, repository)),
    present: (list) => list,
    missing,
  }),

  get(repositoryPaths('/branches/*'), {
    type: 'branch',
    docs: { schema: answers.branch },
    within: oneRepository,
    async find({ ctx, params }, repository) {
      const build = await lastBuildOfAny(ctx.db, repository.id, namesIn(params['*']))
      return build && { ...build, repository }
    },
    rights: buildRights,
    right: 'read',
    act: async ({ ctx }, build) => ({ build, ...(await recordsOfBuild(ctx.db, build)) }),
    present({ build, commit, pull, jobs }) {
      const ids = jobs.map(({ id }) => id)
      return {
        branch: presentBuild(build, pull, ids),
        commit: presentSingleCommit(commit, build.repository),
      }
    },
  }),
]

async function listOf({ ctx }: Call, builds: readonly ListedBuild[]) {
  const listed = await withRecords(ctx.db, builds)
  return { branches: presentBuilds(listed), commits: presentCommitsOf(listed) }
}

/** A list of names, or one with commas in it: any of them is meant. */
function namesIn(given = ''): string[] {
  return isStorable(given) ? [...new Set([given, ...given.split(',')])] : []
}
