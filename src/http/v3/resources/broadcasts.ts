import { userRights } from '../../../access/owner-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { broadcastsTo, type KnownBroadcast } from '../../../store/broadcasts.ts'
import type { Call } from '../../endpoint.ts'
import { actionsOf, get } from '../action.ts'
import { collectionOf } from '../collection.ts'
import { flagIn, type QueryOf } from '../list-query.ts'
import { listSteps } from '../page-steps.ts'
import { broadcast } from './broadcast.ts'
import { createBroadcastAction } from './create-broadcast.ts'

export const broadcasts = collectionOf<KnownBroadcast>()({
  type: 'broadcasts',
  of: broadcast,
  filters: ['broadcast.active'],
})

/** Those that are active, unless others are requested. */
function activeIn(query: QueryOf<typeof broadcasts>): boolean | undefined {
  const given = query.valuesOf('broadcast.active')
  return given.length === 0 ? true : flagIn(given)
}

export const broadcastsActions = actionsOf(broadcasts, {
  for_current_user: get(
    '/broadcasts',
    listSteps(
      broadcasts,
      {
        type: 'user',
        login: true,
        find: async ({ viewer }: Call) => viewer.user,
        rights: userRights,
        right: 'read',
      },
      ({ ctx, viewer }, { id }, query) =>
        broadcastsTo(ctx.db, id, permittedUser(viewer), { active: activeIn(query) }),
    ),
  ),

  create: createBroadcastAction,
})
