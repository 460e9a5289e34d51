import type { AccountFacts } from '../../domain/event.ts'
import type { Context } from '../context.ts'

/** Whether the account has this login now. Without a code host to query, that is assumed. */
export async function holds(
  { codehosts }: Pick<Context, 'codehosts'>,
  { codehost_id, login }: AccountFacts,
): Promise<boolean> {
  const { codehost } = codehosts
  return !codehost || (await codehost.user(login))?.codehost_id === codehost_id
}
