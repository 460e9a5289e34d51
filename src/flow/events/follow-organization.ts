import { CodehostError } from '../../codehost/codehost.ts'
import type { OrganizationEvent } from '../../domain/event.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import { findInstallationOf } from '../../store/installations/installations.ts'
import {
  dropMembership,
  findOrganizationByCodehostId,
  markOrganizationGone,
  putMembership,
} from '../../store/people/organizations.ts'
import { dropPermissionsIn } from '../../store/people/permissions.ts'
import { findUserByCodehostId } from '../../store/people/users.ts'
import { deactivateAllOf } from '../../store/repositories/repositories.ts'
import type { Membership } from '../../store/tables.ts'
import { cancelJobs } from '../builds/cancel-jobs.ts'
import type { Context } from '../context.ts'
import { holds } from '../repositories/confirm-login.ts'
import { startSyncs } from '../repositories/start-syncs.ts'
import { storeOwner } from '../repositories/store-owner.ts'
import { transact, type Transaction } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'

/** Stores changes of membership, and deletions. The code host confirms both: the event may be old. */
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

/** Stores a membership; the member's rights are looked up afterwards, by a sync of the user. */
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
      noted: `the code host does not report whether ${member.login} belongs to ${organization.login}: the user is looked up again`,
    }
  }
  return { noted: `${member.login} ${found ? 'belongs to' : 'has left'} ${organization.login}` }
}

/** The code host does not reveal the membership, so only a sync of the user can change anything. */
const untold = Symbol('untold')

/** The user's current role in the organization. Without a code host to query, the event is believed. */
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
  await cancelJobs(ctx, ids, ['created'], 'the organization was deleted')
  return { noted: `the organization ${organization.login} was deleted` }
}
