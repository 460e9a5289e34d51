import { repositoryRights } from '../../../access/repository-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { findBranch, type KnownBranch } from '../../../store/branches.ts'
import { recentBuildsOfBranches } from '../../../store/builds.ts'
import type { InRepository } from '../../find-record.ts'
import { lastBuildsOf } from '../../last-builds.ts'
import { actionsOf, get } from '../action.ts'
import { oneRepository, repositoryTemplates } from '../one-repository.ts'
import { each, resourceOf } from '../resource.ts'
import { as } from '../presented.ts'

type BranchModel = InRepository<KnownBranch>

declare module '../resource.ts' {
  interface Models {
    branch: BranchModel
  }
}

export const branch = resourceOf<BranchModel>()({
  type: 'branch',
  href: ({ repository_id, name }) => `/repo/${repository_id}/branch/${encodeURIComponent(name)}`,
  rights(viewer, { repository }) {
    const { read, write } = repositoryRights(viewer, repository)
    return { read, write }
  },
  permissions: ['read', 'write'],
  representations: {
    minimal: ['name'],
    standard: ['name', 'repository', 'default_branch', 'exists_on_codehost', 'last_build'],
  },
  includable: ['recent_builds'],
  values: {
    default_branch: each(({ name, repository }) => name === repository.default_branch_name),
  },
  links: {
    repository: each(({ repository }) => ({ type: 'repository', model: repository })),

    async last_build({ ctx }, branches) {
      const builds = await lastBuildsOf(ctx.db, branches)
      return branches.map(({ repository }, index) => {
        const build = builds[index]
        return build ? { type: 'build' as const, model: { ...build, repository } } : null
      })
    },

    async recent_builds({ ctx, viewer }, branches) {
      const builds = await recentBuildsOfBranches(ctx.db, branches, permittedUser(viewer))
      return branches.map(({ repository }, index) =>
        (builds[index] ?? []).map((build) => ({
          type: 'build' as const,
          model: { ...build, repository },
        })),
      )
    },
  },
})

export const branchActions = actionsOf(branch, {
  find: get(repositoryTemplates('/branch/{branch.name}'), {
    type: 'branch',
    within: oneRepository,
    async find({ ctx, params }, repository) {
      const found = await findBranch(ctx.db, repository, params.branch ?? '')
      return found && { ...found, repository }
    },
    rights: branch.rights,
    right: 'read',
    present: as('standard', branch),
  }),
})
