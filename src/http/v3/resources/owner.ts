import type { SeenOwner } from '../../../store/seen-owners.ts'
import { actionsOf, get } from '../action.ts'
import { oneOwner, ownerTemplates } from '../one-owner.ts'
import { as, showing } from '../presented.ts'
import { organization } from './organization.ts'
import { user } from './user.ts'

const asUser = as('standard', user)
const asOrganization = as('standard', organization)

/** There are no owners besides users and organizations: they are found by one path. */
export const ownerActions = actionsOf(
  { type: 'owner' },
  {
    find: get(ownerTemplates(), {
      ...oneOwner,
      right: 'read',
      present: showing([...asUser.shows, ...asOrganization.shows], (owner: SeenOwner) =>
        owner.type === 'user' ? asUser(owner.model) : asOrganization(owner.model),
      ),
    }),
  },
)
