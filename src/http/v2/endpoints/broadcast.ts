import { permittedUser } from '../../../access/viewer.ts'
import { loginRequired } from '../../../domain/errors.ts'
import { broadcastsTo } from '../../../store/broadcasts.ts'
import { get } from '../../endpoint.ts'
import { answers } from '../openapi/answers.ts'

export const broadcastEndpoints = [
  get('/broadcasts', {
    login: true,
    docs: { summary: 'what administrators announce to the caller', schema: answers.broadcasts },
    async answer({ ctx, viewer }) {
      if (!viewer.user) throw loginRequired()
      const filter = { active: true }
      const found = await broadcastsTo(ctx.db, viewer.user.id, permittedUser(viewer), filter)
      return { broadcasts: found.map(({ id, message }) => ({ id, message })) }
    },
  }),
]
