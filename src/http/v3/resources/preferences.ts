import type { SeenOrganization } from '../../../access/owner-rights.ts'
import type { SeenOwner } from '../../../store/people/seen-owners.ts'
import type { Call } from '../../core/endpoint.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { listSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { oneOrganization } from '../records/one-organization.ts'
import { callerOf, preference, preferenceRights, preferencesOf } from './preference.ts'

export const preferences = collectionOf<Models['preference']>()({
  type: 'preferences',
  of: preference,
})

const shared = {
  type: 'preferences',
  login: true,
  rights: preferenceRights,
  right: 'read',
} as const

const read = async (_call: Call, { owner }: { owner: SeenOwner }) => preferencesOf(owner)

export const preferencesActions = actionsOf(preferences, {
  for_user: get(
    '/preferences',
    listSteps(
      preferences,
      {
        ...shared,
        docs: {
          summary:
            'the preferences of the caller, of which only `build_emails` can be changed; not paginated',
        },
        async find(call: Call) {
          const owner = callerOf(call)
          return owner && { owner }
        },
      },
      read,
    ),
  ),
  for_organization: get(
    '/org/{organization.id}/preferences',
    listSteps(
      preferences,
      {
        ...shared,
        docs: {
          summary:
            'the preferences of an organization, none of which can be changed; for its admins; not paginated',
        },
        within: oneOrganization,
        async find(_call: Call, model: SeenOrganization): Promise<{ owner: SeenOwner }> {
          return { owner: { type: 'organization', model } }
        },
      },
      read,
    ),
  ),
})
