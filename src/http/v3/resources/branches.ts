import { branchesOfRepository, branchSortKeys } from '../../../store/repositories/branches.ts'
import { anyOf, filterFlag } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { pageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'
import { branch } from './branch.ts'

export const branches = collectionOf<Models['branch']>()({
  type: 'branches',
  of: branch,
  limit: 25,
  sort: {
    keys: branchSortKeys,
    default: ['default_branch', 'exists_on_codehost', 'last_build:desc'],
  },
  filters: {
    'branch.exists_on_codehost': described(
      'whether only branches that the code host has are listed, or only others',
      filterFlag(),
    ),
    'branch.name': described('parts of names, in any case', anyOf()),
  },
})

export const branchesActions = actionsOf(branches, {
  find: get(
    repositoryTemplates('/branches'),
    pageSteps(
      branches,
      {
        ...oneRepository,
        right: 'read',
        docs: {
          summary:
            'the branches of a repository: the default branch first, and last those that the code host no longer has',
        },
      },
      async ({ ctx }, repository, query) => {
        const filter = {
          name: query.filters['branch.name'],
          exists_on_codehost: query.filters['branch.exists_on_codehost'],
        }
        const { records, count } = await branchesOfRepository(ctx.db, repository, filter, query)
        return { records: records.map((record) => ({ ...record, repository })), count }
      },
    ),
  ),
})
