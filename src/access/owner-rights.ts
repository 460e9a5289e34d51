import { isOfToken, type Organization, type User } from '../domain/owner.ts'
import { isForSome } from './scopes.ts'
import type { Viewer } from './viewer.ts'

export function userRights(viewer: Viewer, of: Pick<User, 'id' | 'codehost_id' | 'login'>) {
  const { user, closed = false } = viewer
  const isOwn = user?.id === of.id
  const self = isOwn && !isForSome(viewer)
  // A token's actions are shown with its name; other data of a token's own user is hidden from others.
  const read = isOwn || (!isOfToken(of) && (user !== undefined || !closed))
  return { read, write: self, sync: self }
}

/** An organization as one viewer sees it: with the viewer's own membership. */
export type SeenOrganization = Organization & { membership: 'admin' | 'member' | null }

export function organizationRights({ closed = false }: Viewer, { membership }: SeenOrganization) {
  const admin = membership === 'admin'
  const member = membership !== null
  return {
    read: member || !closed,
    write: admin,
    sync: admin,
    admin,
    settings_create: member,
    settings_delete: member,
    plan_view: false,
    plan_create: false,
    plan_usage: false,
    plan_invoices: false,
    billing_view: false,
    billing_update: false,
  }
}
