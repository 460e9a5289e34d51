import type { OrganizationEvent } from '../domain/event.ts'
import type { OwnerRef } from '../domain/owner.ts'
import {
  dropMembership,
  findOrganizationByCodehostId,
  markOrganizationGone,
  putMembership,
} from '../store/organizations.ts'
import { dropPermissionsIn } from '../store/permissions.ts'
import { deactivateAllOf } from '../store/repositories.ts'
import { findUserByCodehostId } from '../store/users.ts'
import { cancelJobs } from './build/cancel-jobs.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { holds } from './repository/holds.ts'
import { storeOwner } from './repository/store-owner.ts'
import { startSyncs } from './repository/start-syncs.ts'
import { transact, type Transaction } from './transact.ts'

/** Stores who belongs to an organization, and that one is gone. */
export function followOrganization(ctx: Context, event: OrganizationEvent): Promise<EventOutcome> {
  const { action, organization, member } = event
  if (action === 'deleted') return followEnd(ctx, event)
  if (member && (action === 'member_added' || action === 'member_removed')) {
    return transact(ctx, (tx) => followMembership(tx, event, member))
  }
  return Promise.resolve({ ignored: `${action} of the organization ${organization.login}` })
}

/** What a member may do there is looked up afterwards, by a sync of the user. */
async function followMembership(
  tx: Transaction,
  { action, organization }: OrganizationEvent,
  member: NonNullable<OrganizationEvent['member']>,
): Promise<EventOutcome> {
  const user = await findUserByCodehostId(tx.db, 'codehost', member.codehost_id)
  if (!user) return { ignored: `${member.login} is not known here` }
  const known = await findOrganizationByCodehostId(tx.db, 'codehost', organization.codehost_id)
  const owner: OwnerRef = known
    ? { owner_id: known.id, owner_type: 'Organization' }
    : await storeOwner(tx.db, 'codehost', { ...organization, type: 'Organization' })
  const membership = { user_id: user.id, organization_id: owner.owner_id }
  if (action === 'member_added') {
    const role = member.role === 'admin' ? 'admin' : 'member'
    await putMembership(tx.db, { ...membership, role })
  } else {
    await dropMembership(tx.db, membership)
    await dropPermissionsIn(tx.db, user.id, owner)
  }
  await startSyncs(tx, [user.id])
  const what = action === 'member_added' ? 'belongs to' : 'has left'
  return { noted: `${member.login} ${what} ${organization.login}` }
}

async function followEnd(ctx: Context, { organization }: OrganizationEvent): Promise<EventOutcome> {
  const { codehost_id } = organization
  const known = await findOrganizationByCodehostId(ctx.db, 'codehost', codehost_id)
  if (known && ctx.codehosts.codehost) {
    for (const login of new Set([known.login, organization.login])) {
      if (await holds(ctx, { codehost_id, login })) {
        return { ignored: `the organization ${login} is still at the code host` }
      }
    }
  }
  const ids = await transact(ctx, async ({ db }) => {
    const id = await markOrganizationGone(db, 'codehost', codehost_id)
    if (id === undefined) return
    const owner: OwnerRef = { owner_id: id, owner_type: 'Organization' }
    return deactivateAllOf(db, owner)
  })
  if (!ids) return { ignored: `the organization ${organization.login} is unknown here` }
  await cancelJobs(ctx, ids, ['created'])
  return { noted: `the organization ${organization.login} was deleted` }
}
