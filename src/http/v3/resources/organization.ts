import { organizationRights, type SeenOrganization } from '../../../access/owner-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { findOrganization } from '../../../store/people/seen-owners.ts'
import { idIn } from '../../core/path-id.ts'
import { actionsOf, get } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { resourceOf } from '../core/resource.ts'
import { ofAccounts, sharedLinks, sharedValues } from '../records/accounts.ts'

declare module '../core/resource.ts' {
  interface Models {
    organization: SeenOrganization
  }
}

export const organization = resourceOf<SeenOrganization>()({
  type: 'organization',
  href: ({ id }) => `/org/${id}`,
  rights: organizationRights,
  permissions: [
    'read',
    'write',
    'sync',
    'admin',
    'settings_create',
    'settings_delete',
    'plan_view',
    'plan_create',
    'plan_usage',
    'plan_invoices',
    'billing_view',
    'billing_update',
  ],
  ...ofAccounts,
  values: sharedValues<SeenOrganization>('Organization'),
  links: sharedLinks<SeenOrganization>('Organization', (model) => ({
    type: 'organization',
    model,
  })),
})

export const organizationActions = actionsOf(organization, {
  find: get('/org/{organization.id}', {
    type: 'organization',
    async find({ ctx, viewer, params }) {
      const id = idIn(params.organization)
      return id === undefined ? undefined : findOrganization(ctx.db, id, permittedUser(viewer))
    },
    rights: organizationRights,
    right: 'read',
    docs: {
      summary:
        'an organization of the code host; attributes about plans, education and migration are constant',
    },
    present: as('standard', organization),
  }),
})
