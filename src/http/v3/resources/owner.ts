import type { SeenOwner } from '../../../store/people/seen-owners.ts'
import { actionsOf, get } from '../core/action.ts'
import { presented, showing } from '../core/presented.ts'
import { oneOwner, ownerTemplates } from '../records/one-owner.ts'
import { organization } from './organization.ts'
import { user } from './user.ts'

const representation = 'standard'
const shows = [
  { resource: user, representation },
  { resource: organization, representation },
] as const

/** Users and organizations, the two kinds of owners, found by the same path. */
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
