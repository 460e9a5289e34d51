import type { AccountEvent } from '../../domain/event.ts'
import { keepSlugsOf } from '../../store/repositories/former-slugs.ts'
import { renameOwner } from '../../store/repositories/repositories.ts'
import { holdLock } from '../../store/sql/locks.ts'
import type { Context } from '../context.ts'
import { holds } from '../repositories/confirm-login.ts'
import { storeOwner } from '../repositories/store-owner.ts'
import { transact } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'

/**
 * Stores the new name of an account that the app is installed on, also as the owner name of its
 * repositories. The event may be old, so the code host confirms that the name is the account's.
 */
export async function followAccount(
  ctx: Context,
  { account, former_login }: AccountEvent,
): Promise<EventOutcome> {
  const { codehost_id, login } = account
  if (!(await holds(ctx, account))) {
    return { ignored: `${login} is no longer the name of the account ${codehost_id}` }
  }
  const renamed = await transact(ctx, async ({ db }) => {
    await holdLock(db, `account:${codehost_id}`)
    const owner = await storeOwner(db, 'codehost', account)
    await keepSlugsOf(db, owner, login)
    return renameOwner(db, owner, login)
  })
  const what = renamed === 1 ? '1 repository' : `${renamed} repositories`
  return {
    noted: `the account ${former_login ?? codehost_id} is called ${login} now: ${what} renamed`,
  }
}
