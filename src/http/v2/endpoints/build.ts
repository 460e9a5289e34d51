import { buildRights } from '../../../access/build-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { recordsOfBuild } from '../../../store/builds/build-records.ts'
import { findSeenBuild } from '../../../store/repositories/repository-access.ts'
import { type Call, get } from '../../core/endpoint.ts'
import { findKept } from '../../core/path-id.ts'
import { isNamed, repositoryPaths } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { presentBuild } from '../present/build.ts'
import { presentCommit, presentSingleCommit } from '../present/commit.ts'
import { presentJob } from '../present/job.ts'

/** The steps shared by every V2.1 endpoint for one build. */
export const oneBuild = {
  type: 'build',
  find: (call: Call) => findKept(call, 'build', call.params.build, findSeenBuild),
  rights: buildRights,
}

export const buildEndpoints = [
  get(['/builds/:build', ...repositoryPaths('/builds/:build')], {
    ...oneBuild,
    async find(call) {
      const build = await oneBuild.find(call)
      return build && isNamed(build.repository, call) ? build : undefined
    },
    right: 'read',
    docs: { summary: 'a build with its commit and jobs', schema: answers.build },
    version: ({ version }) => version,
    act: async ({ ctx, viewer }, build) => ({
      build,
      ...(await recordsOfBuild(ctx.db, build, permittedUser(viewer))),
    }),
    present({ build, commit, pull, jobs, from_fork }) {
      const ids = jobs.map(({ id }) => id)
      return {
        build: presentBuild(build, pull, ids),
        commit: presentSingleCommit(commit, build.repository),
        jobs: jobs.map((job) => presentJob(job, build.repository, from_fork)),
        commits: commit ? [presentCommit(commit)] : [],
      }
    },
  }),
]
