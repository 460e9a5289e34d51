import { messagesInRequest } from '../../../store/listed-requests.ts'
import { actionsOf, get } from '../action.ts'
import { collectionOf } from '../collection.ts'
import { repositoryTemplates } from '../one-repository.ts'
import { pageSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
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
        docs: {
          summary: 'what the linter found in the build file of a request, and in what it imports',
        },
      },
      async ({ ctx }, request, query) => {
        const { records, count } = await messagesInRequest(ctx.db, request.id, query)
        return { records: records.map((each) => ({ ...each, ...guardOf(request) })), count }
      },
    ),
  ),
})
