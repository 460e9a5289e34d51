import { always, resourceOf } from '../core/resource.ts'

interface Membership {
  organization_id: number
}

declare module '../core/resource.ts' {
  interface Models {
    membership: Membership
  }
}

const attributes = ['organization_id', 'build_permission'] as const

/** The membership of a user in an organization. */
export const membership = resourceOf<Membership>()({
  type: 'membership',
  rights: () => ({ read: true, write: false }),
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
  values: { build_permission: always(null) },
})
