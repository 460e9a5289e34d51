import { isForSome } from '../../../access/scopes.ts'
import { userRights } from '../../../access/owner-rights.ts'
import { get } from '../../endpoint.ts'
import { idIn } from '../../find-record.ts'
import { answers } from '../openapi/answers.ts'
import { presentUser } from '../present/user.ts'

/** Callers see themselves, and no one else. */
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
