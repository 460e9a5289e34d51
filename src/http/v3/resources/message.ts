import { requestRights } from '../../../access/build-rights.ts'
import type { RepositoryRecord } from '../../../access/visibility.ts'
import type { RequestMessage } from '../../../domain/request/request.ts'
import { masked } from '../../../domain/shown-config.ts'
import { integer, listOf, orNull, text } from '../../openapi/schema.ts'
import { each, resourceOf } from '../resource.ts'

/** With what says who can see its request; the id is null for one that is not stored. */
type MessageModel = Omit<RequestMessage, 'id' | 'request_id'> &
  RepositoryRecord & { id: number | null }

declare module '../resource.ts' {
  interface Models {
    message: MessageModel
  }
}

const attributes = ['id', 'level', 'key', 'code', 'args', 'src', 'line'] as const

/** What was said of a request's configuration. It has no path of its own. */
export const message = resourceOf<MessageModel>()({
  type: 'message',
  rights: requestRights,
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
  values: { key: each(({ key }) => key), args: each(({ args }) => masked(args)) },
  types: { id: orNull(integer), key: listOf(text) },
})
