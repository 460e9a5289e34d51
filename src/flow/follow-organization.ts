import { CodehostError } from '../codehost/codehost.ts'
import type { OrganizationEvent } from '../domain/event.ts'
import type { OwnerRef } from '../domain/owner.ts'
import { findInstallationOf } from '../store/installations.ts'
import {
  dropMembership,
  findOrganizationByCodehostId,
  markOrganizationGone,
  putMembership,
} from '../store/organizations.ts'
import { dropPermissionsIn } from '../store/permissions.ts'
import { deactivateAllOf } from '../store/repositories.ts'
import type { Membership } from '../store/tables.ts'
import { findUserByCodehostId } from '../store/users.ts'
import { cancelJobs } from './build/cancel-jobs.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { holds } from './repository/holds.ts'
import { storeOwner } from './repository/store-owner.ts'
import { startSyncs } from './repository/start-syncs.ts'
import { transact, type Transaction } from './transact.ts'

/** Stores who belongs to an organization, and that one is gone. Both is asked: the event may be old. */
export async function followOrganization(
  ctx: Context,
  event: OrganizationEvent,
): Promise<EventOutcome> {
  const { action, organization, member } = event
  if (action === 'deleted') return followEnd(ctx, event)
  if (member && (action === 'member_added' || action === 'member_removed')) {
    return followMembership(ctx, event, member)
  }
  return { ignored: `${action} of the organization ${organization.login}` }
}

type Member = NonNullable<OrganizationEvent['member']>

/** What a member may do there is looked up afterwards, by a sync of the user. */
async function followMembership(
  ctx: Context,
  event: OrganizationEvent,
  member: Member,
): Promise<EventOutcome> {
  const { organization } = event
  const user = await findUserByCodehostId(ctx.db, 'codehost', member.codehost_id)
  if (!user) return { ignored: `${member.login} is not known here` }
  const found = await roleIn(ctx, event, member)
  await transact(ctx, async (tx) => {
    if (found !== untold) await storeMembership(tx, organization, user.id, found)
    await startSyncs(tx, [user.id])
  })
  if (found === untold) {
    return {
      noted: `the code host does not tell whether ${member.login} belongs to ${organization.login}: the user is looked up again`,
    }
  }
  return { noted: `${member.login} ${found ? 'belongs to' : 'has left'} ${organization.login}` }
}

/** The code host does not tell, so that nothing changes but by a sync of the user. */
const untold = Symbol('untold')

/** How a user belongs to the organization now. Where there is no code host to be asked, the event is believed. */
async function roleIn(
  { db, codehosts }: Context,
  { action, organization }: OrganizationEvent,
  member: Member,
): Promise<Membership['role'] | undefined | typeof untold> {
  const { installations } = codehosts.codehost ?? {}
  if (!installations) {
    if (action === 'member_removed') return undefined
    return member.role === 'admin' ? 'admin' : 'member'
  }
  const known = await findOrganizationByCodehostId(db, 'codehost', organization.codehost_id)
  const owner = known && { owner_id: known.id, owner_type: 'Organization' as const }
  const installation = owner && (await findInstallationOf(db, owner))
  if (!known || !installation || installation.suspended_at !== null) return untold
  const named = { codehost_id: organization.codehost_id, login: known.login }
  try {
    return await installations.membership(installation.codehost_id, named, member)
  } catch (error) {
    if (error instanceof CodehostError && !error.temporary) return untold
    throw error
  }
}

async function storeMembership(
  { db }: Transaction,
  organization: OrganizationEvent['organization'],
  user_id: number,
  found: Membership['role'] | undefined,
): Promise<void> {
  const known = await findOrganizationByCodehostId(db, 'codehost', organization.codehost_id)
  const owner: OwnerRef = known
    ? { owner_id: known.id, owner_type: 'Organization' }
    : await storeOwner(db, 'codehost', { ...organization, type: 'Organization' })
  const membership = { user_id, organization_id: owner.owner_id }
  if (found) return putMembership(db, { ...membership, role: found })
  await dropMembership(db, membership)
  await dropPermissionsIn(db, user_id, owner)
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
