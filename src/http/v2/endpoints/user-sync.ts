import { loginRequired } from '../../../domain/errors.ts'
import { requestUserSync } from '../../../flow/people/request-user-sync.ts'
import { post } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { userSync } from '../../identity/rate-limits.ts'
import { answers } from '../openapi/answers.ts'

export const userSyncEndpoints = [
  post('/users/sync', {
    login: true,
    scope: 'settings',
    rate: userSync,
    docs: {
      summary: 'syncs the user’s repositories',
      schema: answers.result,
      fails: ['already_syncing'],
    },
    async answer(call) {
      const { user } = call.viewer
      if (!user) throw loginRequired()
      await requestUserSync(call.ctx, user, actorOf(call))
      return { result: true }
    },
  }),
]
