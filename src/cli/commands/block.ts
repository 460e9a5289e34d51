import { CodehostError } from '../../codehost/codehost.ts'
import type { Config } from '../../config/config.ts'
import { operator } from '../../domain/audit.ts'
import type { User } from '../../domain/owner.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { shownTime } from '../../domain/time/shown-time.ts'
import { blockUser } from '../../flow/people/block-user.ts'
import { openApp } from '../../service/open/open-app.ts'
import type { Store } from '../../service/open/open-store.ts'
import { withRegisteredApp } from '../../service/registration/registered-app.ts'
import { blockedUsers, putUser } from '../../store/people/users.ts'
import type { Database } from '../../store/tables.ts'
import { asUsage, UsageError } from '../errors.ts'
import { createLog } from '../log.ts'
import { findNamedUser, type NamedUser, readName } from '../named-user.ts'
import { withStore } from '../with-store.ts'

/** Blocks a user, who is fetched from the code host if unknown here; without a name, lists blocked users. */
export async function block(named: string | undefined): Promise<void> {
  await withStore(async (store, config) => {
    const { db } = store
    if (named === undefined) return list(db)
    const name = readName(named)
    const user = (await findNamedUser(db, name)) ?? (await userAtCodehost(store, config, name))
    if (!user) throw new UsageError(`there is no user ${visible(named)}`)
    const changed = await change(db, config, user, true)
    console.log(`${user.login} is ${changed ? 'blocked' : 'blocked already'}`)
  })
}

export async function unblock(named: string): Promise<void> {
  await withStore(async ({ db }, config) => {
    const user = await findNamedUser(db, readName(named))
    if (!user) throw new UsageError(`there is no user ${visible(named)}`)
    const changed = await change(db, config, user, false)
    console.log(`${user.login} is ${changed ? 'no longer blocked' : 'not blocked'}`)
  })
}

async function list(db: Database): Promise<void> {
  const blocked = await blockedUsers(db)
  if (blocked.length === 0) console.log('no one is blocked')
  for (const { login, blocked_at } of blocked) {
    console.log(`${visible(login)}  since ${blocked_at ? shownTime(blocked_at) : ''}`)
  }
}

function change(db: Database, config: Config, user: User, blocked: boolean): Promise<boolean> {
  const ctx = { db, config, now: () => new Date() }
  return blockUser(ctx, operator, user, blocked).catch(asUsage)
}

/** A user who has never logged in here can still start builds. */
async function userAtCodehost(
  { db, sealer }: Store,
  config: Config,
  { provider, login }: NamedUser,
): Promise<User | undefined> {
  if (provider === 'local') return undefined
  const settings = await withRegisteredApp(config, { db, sealer })
  const { codehost } = await openApp(settings, createLog(config))
  const found = await codehost?.user(login).catch((error: unknown) => {
    throw error instanceof CodehostError ? new UsageError(error.message) : error
  })
  if (!found) return undefined
  const { codehost_id, name, avatar_url } = found
  return putUser(db, { provider: 'codehost', codehost_id, login: found.login, name, avatar_url })
}
