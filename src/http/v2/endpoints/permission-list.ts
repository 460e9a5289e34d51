import { permittedUser } from '../../../access/viewer.ts'
import { rolesOfUser } from '../../../store/people/permissions.ts'
import { get } from '../../core/endpoint.ts'
import { words } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { answers } from '../openapi/answers.ts'

const roles = ['admin', 'pull', 'push'] as const

export const permissionListEndpoints = [
  get('/users/permissions', {
    login: true,
    docs: {
      summary: 'the ids of the repositories on which the caller has a role',
      schema: answers.permissions,
    },
    accepts: { roles: described('only repositories with one of these roles', words(roles)) },
    async answer({ ctx, viewer }, { roles: wanted }) {
      const userId = permittedUser(viewer)
      const all = userId === undefined ? [] : await rolesOfUser(ctx.db, userId)
      const kept = wanted ? all.filter((each) => wanted.some((name) => each[name])) : all
      const idsOf = (of: typeof all) => of.map(({ repository_id }) => repository_id)
      return {
        permissions: idsOf(kept),
        ...Object.fromEntries(
          roles.map((name) => [name, idsOf(kept.filter((each) => each[name]))]),
        ),
      }
    },
  }),
]
