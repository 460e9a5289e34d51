import { permittedUser } from '../../../access/viewer.ts'
import { loginRequired } from '../../../domain/errors.ts'
import { broadcastsTo } from '../../../store/broadcasts.ts'
import { get } from '../../endpoint.ts'
import { answers } from '../openapi/answers.ts'

/** For how long a broadcast without an end is shown. */
const shownSeconds = 14 * 24 * 3600

export const broadcastEndpoints = [
  get('/broadcasts', {
    login: true,
    docs: { schema: answers.broadcasts },
    async answer({ ctx, viewer }) {
      if (!viewer.user) throw loginRequired()
      return {
        broadcasts: await broadcastsTo(ctx.db, viewer.user.id, permittedUser(viewer), shownSeconds),
      }
    },
  }),
]
