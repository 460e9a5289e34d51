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
import { readList } from './user-sync/read-list.ts'
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
    const isDone = sync !== undefined && (await readAll(sync))
    if (!sync) await syncInstallationsOf(ctx, userId)
    if (!isDone) await confirmRoles({ ...ctx, db }, userId)
    await endLoginsOfUnnamed({ ...ctx, db }, userId, isDone ? sync.as.token : undefined)
    again = await endSync({ ...ctx, db }, userId, isDone)
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
  return { ctx, listings, user_id: id, as: { codehost_id, token } }
}

/** Whether the user is synced now. A token that the code host refuses is dropped. */
async function readAll(sync: UserSync): Promise<boolean> {
  const { ctx, user_id, as } = sync
  if (!(await readList(sync, profileList(sync)))) {
    await dropUserToken(ctx, user_id, as.token)
    return false
  }
  await readList(sync, emailList(sync))
  const hasMemberships = await readList(sync, membershipList(sync))
  if (!(await readList(sync, installationList(sync)))) {
    throw new CodehostError('the installations of a user were refused', { kind: 'refused' })
  }
  const refused: number[] = []
  for (const { id } of await entriesOf(ctx.db, user_id, 'installations')) {
    if (!(await readList(sync, repositoryList(sync, id)))) refused.push(id)
  }
  await transact(ctx, ({ db }) => forgetUnconfirmed(db, user_id, { hasMemberships, refused }))
  return true
}

async function syncInstallationsOf(ctx: Context, userId: number): Promise<void> {
  for (const installation of await installationsOfUser(ctx.db, userId)) {
    await syncInstallation(ctx, installation)
  }
}
