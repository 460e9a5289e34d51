import type { Context } from 'probot'
import type {
  AccountEvent,
  AccountFacts,
  MemberEvent,
  OrganizationEvent,
  TeamEvent,
} from '../domain/event.ts'
import { factsOf, type Origin, senderFacts } from './payload.ts'

type TeamPayload = Context<'membership'>['payload'] | Context<'team'>['payload']

/** Undefined without a member, which the code host's own description allows. */
export function memberEvent(
  payload: Context<'member'>['payload'],
  origin: Origin,
): MemberEvent | undefined {
  const { member } = payload
  return member
    ? { ...factsOf(payload, origin), type: 'member', member: factsOfAccount(member) }
    : undefined
}

/** An event of the account also reports a new login, with the same meaning for us. */
export function organizationEvent(
  payload: Context<'organization'>['payload'],
  { delivery_id }: Origin,
): OrganizationEvent | AccountEvent {
  const organization = factsOfAccount(payload.organization)
  const common = { delivery_id, sender: senderFacts(payload.sender) }
  if (payload.action === 'renamed') {
    return {
      ...common,
      type: 'account',
      account: { ...organization, type: 'Organization' },
      former_login: payload.changes?.login?.from ?? null,
    }
  }
  const membership = 'membership' in payload ? payload.membership : undefined
  const { user } = membership ?? {}
  return {
    ...common,
    type: 'organization',
    action: payload.action,
    organization,
    member: user ? { ...factsOfAccount(user), role: membership?.role ?? 'member' } : null,
  }
}

/** Undefined without an organization, which the code host's own description allows. */
export function teamEvent(payload: TeamPayload, { delivery_id }: Origin): TeamEvent | undefined {
  if (!payload.organization) return undefined
  const member = 'member' in payload ? payload.member : null
  return {
    type: 'team',
    delivery_id,
    sender: senderFacts(payload.sender ?? undefined),
    team: payload.team.name ?? '',
    organization: factsOfAccount(payload.organization),
    member: member ? factsOfAccount(member) : null,
  }
}

function factsOfAccount({ id, login }: { id: number; login: string }): AccountFacts {
  return { codehost_id: id, login }
}
