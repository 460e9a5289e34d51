import { messagesInRequest } from '../../../store/requests/listed-requests.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { pageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { repositoryTemplates } from '../records/one-repository.ts'
import { message } from './message.ts'
import { guardOf, oneRequest } from './request.ts'

export const messages = collectionOf<Models['message']>()({
  type: 'messages',
  of: message,
  limit: 25,
})

export const messagesActions = actionsOf(messages, {
  for_request: get(
    repositoryTemplates('/request/{request.id}/messages'),
    pageSteps(
      messages,
      {
        ...oneRequest,
        right: 'read',
        docs: { summary: 'the linter’s findings in the build file of a request and its imports' },
      },
      async ({ ctx }, request, query) => {
        const { records, count } = await messagesInRequest(ctx.db, request.id, query)
        return { records: records.map((each) => ({ ...each, ...guardOf(request) })), count }
      },
    ),
  ),
})
