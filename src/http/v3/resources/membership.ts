import { always, type Resource } from '../resource.ts'

interface Membership {
  organization_id: number
}

const attributes = ['organization_id', 'build_permission']

/** That a user belongs to an organization. */
export const membership: Resource<Membership> = {
  type: 'membership',
  rights: () => ({ read: true, write: false }),
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
  values: { build_permission: always(null) },
}
