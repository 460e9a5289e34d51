import type { AccountFacts } from '../../domain/event.ts'
import type { Context } from '../context.ts'

/** Whether the account has this login now. Where there is no code host to be asked, that is believed. */
export async function holds(
  { codehosts }: Pick<Context, 'codehosts'>,
  { codehost_id, login }: AccountFacts,
): Promise<boolean> {
  const { codehost } = codehosts
  return !codehost || (await codehost.user(login))?.codehost_id === codehost_id
}
