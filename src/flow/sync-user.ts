import { CodehostError } from '../codehost/codehost.ts'
import { workAlone } from '../store/locks.ts'
import { entriesOf } from '../store/sync-pages.ts'
import { installationsOfUser, syncingUser } from '../store/user-syncs.ts'
import type { Context } from './context.ts'
import { syncInstallation } from './sync-installation.ts'
import { transact } from './transact.ts'
import { dropUserToken, userToken } from './user-token.ts'
import { confirmRoles } from './user-sync/confirm-roles.ts'
import { endLoginsOfUnnamed } from './user-sync/end-logins.ts'
import { endSync } from './user-sync/end-sync.ts'
import { forgetUnconfirmed } from './user-sync/forget-unconfirmed.ts'
import {
  emailList,
  installationList,
  membershipList,
  profileList,
  repositoryList,
} from './user-sync/lists.ts'
import { type ListEnd, readList, type SyncedList } from './user-sync/read-list.ts'
import type { UserSync } from './user-sync/user-sync.ts'

/**
 * Looks up what a user sees at the code host, with the user's own token: organizations, installations,
 * repositories and rights. Without a token the repositories of the installations on the user's own
 * account and organizations are looked up, and what rights are stored is asked as the app: that is no
 * sync of the user. An entry that comes twice does nothing while the first one is processed, nor later; one
 * that was interrupted goes on where it was.
 */
export async function syncUser(ctx: Context, userId: number): Promise<void> {
  let again = false
  await workAlone(ctx.db, `user-sync:${userId}`, async (db) => {
    const user = await syncingUser(db, userId)
    if (!user) return
    const sync = await openSync({ ...ctx, db }, user)
    if (!sync) await syncInstallationsOf(ctx, userId)
    const outcome = sync ? await readAll(sync) : 'without_token'
    const isRead = outcome !== 'without_token'
    if (!isRead) await confirmRoles({ ...ctx, db }, userId)
    await endLoginsOfUnnamed({ ...ctx, db }, userId, isRead ? sync?.as : undefined)
    again = await endSync({ ...ctx, db }, userId, outcome === 'synced')
  })
  if (again) await ctx.enqueue('user.sync', { user_id: userId })
}

async function openSync(
  ctx: Context,
  { id, codehost_id }: { id: number; codehost_id: number | null },
): Promise<UserSync | undefined> {
  const { listings } = ctx.codehosts.codehost ?? {}
  const token = listings && codehost_id !== null ? await userToken(ctx, id) : undefined
  if (!listings || codehost_id === null || token === undefined) return
  return { ctx, listings, user_id: id, as: { codehost_id, ...token } }
}

type Outcome =
  | 'synced'
  /** The code host refused lists to the user: what was known of these stays. */
  | 'partly'
  | 'without_token'

/** A token that the code host does not accept is dropped, whatever was asked with it. */
async function readAll(sync: UserSync): Promise<Outcome> {
  const { ctx, user_id, as } = sync
  try {
    return await readLists(sync)
  } catch (error) {
    if (!(error instanceof CodehostError) || !error.badToken) throw error
    ctx.log.warn({ user_id, err: error }, 'the code host does not accept the token of a user')
    await dropUserToken(ctx, user_id, as.token)
    return 'without_token'
  }
}

async function readLists(sync: UserSync): Promise<Outcome> {
  const { ctx, user_id } = sync
  await readOrThrow(sync, profileList(sync))
  // An app of an earlier version lacks the permission, and works without.
  await readList(sync, emailList(sync))
  const memberships = await readList(sync, membershipList(sync))
  await readOrThrow(sync, installationList(sync))
  const unread = new Map<number, ListEnd>()
  for (const { id } of await entriesOf(ctx.db, user_id, 'installations')) {
    const end = await readList(sync, repositoryList(sync, id))
    if (end !== 'read') unread.set(id, end)
  }
  const hasMemberships = memberships === 'read'
  const read = { hasMemberships, unread: [...unread.keys()] }
  await transact(ctx, ({ db }) => forgetUnconfirmed(db, user_id, read))
  return [memberships, ...unread.values()].includes('refused') ? 'partly' : 'synced'
}

/** Without these nothing can be said of a user, and nothing is taken away. */
async function readOrThrow<T>(sync: UserSync, list: SyncedList<T>): Promise<void> {
  if ((await readList(sync, list)) === 'read') return
  throw new CodehostError(`the list ${list.name} of a user was refused`, { kind: 'refused' })
}

async function syncInstallationsOf(ctx: Context, userId: number): Promise<void> {
  for (const installation of await installationsOfUser(ctx.db, userId)) {
    await syncInstallation(ctx, installation)
  }
}
