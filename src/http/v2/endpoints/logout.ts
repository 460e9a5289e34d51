import { loginRequired } from '../../../domain/errors.ts'
import { logOut } from '../../../flow/tokens/log-out.ts'
import { get } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { answers } from '../openapi/answers.ts'
import { presentUser } from '../present/user.ts'

export const logoutEndpoints = [
  get('/logout', {
    login: true,
    acts: true,
    docs: { summary: 'revokes the token of the call', schema: answers.user },
    async answer(call) {
      const { user } = call.viewer
      if (!user) throw loginRequired()
      await logOut(call.ctx, actorOf(call))
      return { user: presentUser(user) }
    },
  }),
]
