import { permittedUser } from '../../../access/viewer.ts'
import { loginRequired } from '../../../domain/errors.ts'
import { broadcastsTo } from '../../../store/people/broadcasts.ts'
import { get } from '../../core/endpoint.ts'
import { answers } from '../openapi/answers.ts'

export const broadcastEndpoints = [
  get('/broadcasts', {
    login: true,
    docs: { summary: 'announcements of administrators for the caller', schema: answers.broadcasts },
    async answer({ ctx, viewer }) {
      if (!viewer.user) throw loginRequired()
      const filter = { active: true }
      const found = await broadcastsTo(ctx.db, viewer.user.id, permittedUser(viewer), filter)
      return { broadcasts: found.map(({ id, message }) => ({ id, message })) }
    },
  }),
]
