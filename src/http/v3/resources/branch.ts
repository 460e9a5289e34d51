import { repositoryRights } from '../../../access/repository-rights.ts'
import { isVisible } from '../../../access/visibility.ts'
import type { Branch } from '../../../domain/commit.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { buildsByIds } from '../../../store/builds.ts'
import type { Resource } from '../resource.ts'

type Shown = Branch & { repository: Seen<Repository> }

export const branch: Resource<Shown> = {
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
  values: {
    default_branch: (_view, branches) =>
      branches.map(({ name, repository }) => name === repository.default_branch_name),
  },
  links: {
    repository: (_view, branches) =>
      branches.map(({ repository }) => ({ type: 'repository', model: repository })),

    async last_build({ ctx }, branches) {
      const ids = branches.flatMap(({ last_build_id }) => last_build_id ?? [])
      const builds = new Map((await buildsByIds(ctx.db, ids)).map((build) => [build.id, build]))
      return branches.map(({ last_build_id, repository }) => {
        const build = builds.get(last_build_id ?? 0)
        if (!build || !isVisible(repository, build)) return null
        return { type: 'build', model: { ...build, repository } }
      })
    },
  },
}
