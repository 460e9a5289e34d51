import { requestRights } from '../../../access/build-rights.ts'
import type { Request } from '../../../domain/request.ts'
import type { InRepository } from '../../find-record.ts'
import { each, resourceOf } from '../resource.ts'

declare module '../resource.ts' {
  interface Models {
    request: InRepository<Request>
  }
}

const minimal = ['id', 'state', 'result', 'message', 'pull_request_mergeable'] as const

/** A request as builds show it. It has no endpoints yet. */
export const request = resourceOf<InRepository<Request>>()({
  type: 'request',
  href: ({ id, repository }) => `/repo/${repository.id}/request/${id}`,
  rights: requestRights,
  permissions: ['read', 'write'],
  representations: { minimal, standard: minimal },
  values: {
    result: each(({ result }) => (result === 'accepted' ? 'approved' : result)),
    pull_request_mergeable: each(({ mergeable_state }) => mergeable_state),
  },
})
