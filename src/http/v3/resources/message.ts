import { requestRights } from '../../../access/build-rights.ts'
import type { RepositoryRecord } from '../../../access/visibility.ts'
import { masked } from '../../../domain/config/shown-config.ts'
import type { RequestMessage } from '../../../domain/request/request.ts'
import { integerOrNull, text } from '../../openapi/schema.ts'
import { each, resourceOf } from '../core/resource.ts'

/** A message with the record that decides who can see its request; the id is null if it is not stored. */
type MessageModel = Omit<RequestMessage, 'id' | 'request_id'> &
  RepositoryRecord & { id: number | null }

declare module '../core/resource.ts' {
  interface Models {
    message: MessageModel
  }
}

const attributes = ['id', 'level', 'key', 'code', 'args', 'src', 'line'] as const

/** A message about a request's configuration. It has no path of its own. */
export const message = resourceOf<MessageModel>()({
  type: 'message',
  rights: requestRights,
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
  values: {
    key: each(({ key }) => key.join('.') || 'root'),
    args: each(({ args }) => masked(args)),
  },
  types: { id: integerOrNull, key: text },
})
