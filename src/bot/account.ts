import type { Context } from 'probot'
import type { AccountEvent, AuthorizationEvent } from '../domain/event.ts'
import { type Origin, senderFacts } from './payload.ts'

/** Undefined for enterprises, which have no login and own no repositories. */
export function accountEvent(
  { account, changes, target_type, sender }: Context<'installation_target'>['payload'],
  { delivery_id }: Origin,
): AccountEvent | undefined {
  const { id, login } = account
  if (login === undefined) return undefined
  return {
    type: 'account',
    delivery_id,
    sender: senderFacts(sender),
    account: {
      codehost_id: id,
      login,
      type: target_type === 'Organization' ? 'Organization' : 'User',
    },
    former_login: changes.login?.from ?? null,
  }
}

/** The only action of this event: a user has revoked the authorization. */
export function authorizationEvent(
  { sender }: Context<'github_app_authorization'>['payload'],
  { delivery_id }: Origin,
): AuthorizationEvent {
  return { type: 'authorization', delivery_id, sender: senderFacts(sender) }
}
