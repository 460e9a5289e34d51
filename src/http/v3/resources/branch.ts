import { repositoryRights } from '../../../access/repository-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import type { Build } from '../../../domain/build.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { repositoryWithBranch } from '../../../store/builds/build-view.ts'
import { recentBuildsOfBranches } from '../../../store/builds/builds.ts'
import {
  findBranch,
  isBranchVisible,
  type KnownBranch,
} from '../../../store/repositories/branches.ts'
import type { Call } from '../../core/endpoint.ts'
import type { InRepository } from '../../core/path-id.ts'
import { actionsOf, get } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'
import { oneRepository, refIn, repositoryTemplates } from '../records/one-repository.ts'
import { loader } from '../render/loader.ts'
import { lastBuildsOf } from '../render/reads.ts'
import { expectRoom, recordsLeft } from '../render/response-budget.ts'
import { knowBeside } from '../render/shown.ts'

type BranchModel = InRepository<KnownBranch>

const recentBuildsOf = loader<BranchModel, Build[]>(
  ({ repository_id, name }) => `${repository_id}/${name}`,
  async ({ ctx, viewer, call }, branches) => {
    const most = recordsLeft(call) + 1
    const found = await recentBuildsOfBranches(ctx.db, branches, permittedUser(viewer), most)
    expectRoom(call, found.flat().length)
    return found
  },
)

declare module '../core/resource.ts' {
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
    repository: { to: 'repository', read: each(({ repository }) => repository) },
    last_build: { to: 'build', read: lastBuildsOf },
    recent_builds: {
      to: 'build',
      async read(view, branches) {
        const builds = await recentBuildsOf(view, branches)
        return branches.map(({ repository }, index) =>
          (builds[index] ?? []).map((build) => ({ ...build, repository })),
        )
      },
    },
  },
})

/** A branch with its repository, if the repository's viewer can see it. */
export async function ifVisible(
  { db }: Call['ctx'],
  found: KnownBranch | null | undefined,
  repository: Seen<Repository>,
): Promise<BranchModel | undefined> {
  if (!found || !(await isBranchVisible(db, repository, found))) return
  return { ...found, repository }
}

/** The steps shared by endpoints for one branch of a repository. */
export const oneBranch = {
  type: 'branch',
  async find({ ctx, params }: Call, repository: Seen<Repository>) {
    return ifVisible(ctx, await findBranch(ctx.db, repository, params.branch ?? ''), repository)
  },
  rights: branch.rights,
}

/** The repository that a path names, with the branch and all records shown with it. */
const withShownBranch = {
  ...oneRepository,
  async find(call: Call) {
    const { ctx, viewer, params } = call
    const ref = refIn(params)
    const name = params.branch ?? ''
    return ref && repositoryWithBranch(ctx.db, ref, permittedUser(viewer), name)
  },
}

export const branchActions = actionsOf(branch, {
  find: get(repositoryTemplates('/branch/{branch.name}'), {
    ...oneBranch,
    within: withShownBranch,
    async find(call, { branch: found, beside, ...repository }) {
      knowBeside(call, { beside })
      return ifVisible(call.ctx, found, repository)
    },
    right: 'read',
    docs: { summary: 'a branch of a repository, with its last build' },
    present: as('standard', branch),
  }),
})
