import { ServiceError } from '../../../src/domain/errors.ts'
import type { Repository, Seen } from '../../../src/domain/repository.ts'
import { actionsOf, post } from '../../../src/http/v3/core/action.ts'
import { as } from '../../../src/http/v3/core/presented.ts'
import { oneRepository, repositoryTemplates } from '../../../src/http/v3/records/one-repository.ts'
import { repository } from '../../../src/http/v3/resources/repository.ts'

/** What conflicts with the state of a repository: whether it is active. */
export const conflictActions = actionsOf(
  { type: 'conflict' },
  {
    create: post(repositoryTemplates('/conflict'), {
      ...oneRepository,
      login: true,
      right: 'create_request',
      async act(_call, resource): Promise<Seen<Repository>> {
        const about = { resource_type: 'repository', resource }
        if (!resource.active) {
          throw new ServiceError('repository_inactive', 'it is inactive', about)
        }
        const members = { max_requests: 10, per_seconds: 3600 }
        throw new ServiceError('request_limit_reached', 'too many', { ...about, members })
      },
      present: as('minimal', repository),
    }),
  },
)
