import { userRights } from '../../../access/owner-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { broadcastsTo, type KnownBroadcast } from '../../../store/people/broadcasts.ts'
import type { Call } from '../../core/endpoint.ts'
import { filterFlag } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { listSteps } from '../core/page-steps.ts'
import { broadcast } from './broadcast.ts'
import { createBroadcastAction } from './create-broadcast.ts'

export const broadcasts = collectionOf<KnownBroadcast>()({
  type: 'broadcasts',
  of: broadcast,
  // Active broadcasts only, unless others are requested.
  filters: {
    'broadcast.active': described(
      'true (the default) for active announcements, false for inactive ones, both values for all',
      filterFlag(true),
    ),
  },
})

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
        docs: {
          summary:
            'announcements of administrators for everyone, for the caller, or for an organization or repository of the caller; not paginated',
        },
      },
      ({ ctx, viewer }, { id }, query) =>
        broadcastsTo(ctx.db, id, permittedUser(viewer), {
          active: query.filters['broadcast.active'],
        }),
    ),
  ),

  create: createBroadcastAction,
})
