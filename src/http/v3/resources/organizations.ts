import { permittedUser } from '../../../access/viewer.ts'
import { organizationsOf, organizationSortKeys } from '../../../store/people/organizations.ts'
import { anyOf } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { openPageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { organization } from './organization.ts'

export const organizations = collectionOf<Models['organization']>()({
  type: 'organizations',
  of: organization,
  limit: 100,
  sort: { keys: organizationSortKeys },
  filters: {
    'organization.role': described('the role of the caller there: admin or member', anyOf()),
  },
})

export const organizationsActions = actionsOf(organizations, {
  for_current_user: get(
    '/orgs',
    openPageSteps(
      organizations,
      { login: true, docs: { summary: 'the organizations that the caller is a member of' } },
      async ({ ctx, viewer }, query) =>
        organizationsOf(ctx.db, permittedUser(viewer), query.filters['organization.role'], query),
    ),
  ),
})
