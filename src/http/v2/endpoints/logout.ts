import { logOut } from '../../../flow/log-out.ts'
import { actorOf } from '../../actor.ts'
import { get } from '../../endpoint.ts'
import { loginRequired } from '../../../domain/errors.ts'
import { answers } from '../openapi/answers.ts'
import { presentUser } from '../present/user.ts'

export const logoutEndpoints = [
  get('/logout', {
    login: true,
    acts: true,
    docs: { summary: 'revokes the token that it is called with', schema: answers.user },
    async answer(call) {
      const { user } = call.viewer
      if (!user) throw loginRequired()
      await logOut(call.ctx, actorOf(call))
      return { user: presentUser(user) }
    },
  }),
]
