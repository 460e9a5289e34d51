import type { SeenOwner } from '../../../store/seen-owners.ts'
import { actionsOf, get } from '../action.ts'
import { oneOwner, ownerTemplates } from '../one-owner.ts'
import { presented, showing } from '../presented.ts'
import { organization } from './organization.ts'
import { user } from './user.ts'

const representation = 'standard'
const shows = [
  { resource: user, representation },
  { resource: organization, representation },
] as const

/** There are no owners besides users and organizations: they are found by one path. */
export const ownerActions = actionsOf(
  { type: 'owner' },
  {
    find: get(ownerTemplates(), {
      ...oneOwner,
      right: 'read',
      docs: {
        summary:
          'a user or an organization by login, or by id at the code host; organizations are looked up first',
      },
      present: showing(shows, (owner: SeenOwner) =>
        owner.type === 'user'
          ? presented(representation, user, owner.model)
          : presented(representation, organization, owner.model),
      ),
    }),
  },
)
