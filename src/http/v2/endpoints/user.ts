import { userRights } from '../../../access/owner-rights.ts'
import { isForSome } from '../../../access/scopes.ts'
import { get } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'
import { answers } from '../openapi/answers.ts'
import { presentUser } from '../present/user.ts'

/** Callers can only see themselves. */
export const userEndpoints = [
  get(['/users', '/users/:user'], {
    login: true,
    type: 'user',
    async find({ viewer, params }) {
      const isOwn = params.user === undefined || idIn(params.user) === viewer.user?.id
      if (!isOwn || !viewer.user) return undefined
      return isForSome(viewer) ? { ...viewer.user, email: null } : viewer.user
    },
    rights: userRights,
    right: 'read',
    docs: { summary: 'the caller; other users are not found', schema: answers.user },
    present: (user) => ({ user: presentUser(user) }),
  }),
]
