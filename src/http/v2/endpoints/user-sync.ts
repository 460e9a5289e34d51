import { loginRequired } from '../../../domain/errors.ts'
import { requestUserSync } from '../../../flow/request-user-sync.ts'
import { actorOf } from '../../actor.ts'
import { post } from '../../endpoint.ts'
import { userSync } from '../../rates.ts'
import { answers } from '../openapi/answers.ts'

export const userSyncEndpoints = [
  post('/users/sync', {
    login: true,
    scope: 'settings',
    rate: userSync,
    docs: {
      summary: 'looks up the user’s repositories again',
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
