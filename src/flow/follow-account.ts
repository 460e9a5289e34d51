import type { AccountEvent } from '../domain/event.ts'
import { keepSlugsOf } from '../store/former-slugs.ts'
import { holdLock } from '../store/locks.ts'
import { renameOwner } from '../store/repositories.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { holds } from './repository/holds.ts'
import { storeOwner } from './repository/store-owner.ts'
import { transact } from './transact.ts'

/**
 * Stores the new name of an account that the app is installed on, and gives it to its repositories. The
 * event may be old: the code host is asked whose name it is.
 */
export async function followAccount(
  ctx: Context,
  { account, former_login }: AccountEvent,
): Promise<EventOutcome> {
  const { codehost_id, login } = account
  if (!(await holds(ctx, account))) {
    return { ignored: `${login} is not the name of the account ${codehost_id} any more` }
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
