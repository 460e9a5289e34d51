import { isLetIn } from '../../access/login-rights.ts'
import { CodehostError, type HeldToken } from '../../codehost/codehost.ts'
import { keepMemberships } from '../../store/people/organizations.ts'
import { keepPermissions } from '../../store/people/permissions.ts'
import { entriesOf, keepLists } from '../../store/people/sync-pages.ts'
import { installationsOfUser, syncingUser } from '../../store/people/user-syncs.ts'
import { findUser } from '../../store/people/users.ts'
import { workAlone } from '../../store/sql/locks.ts'
import type { Database } from '../../store/tables.ts'
import { revokeTokensOf } from '../../store/tokens/tokens.ts'
import type { Context } from '../context.ts'
import { syncInstallation } from '../repositories/sync-installation.ts'
import { isNamed } from '../tokens/may-log-in.ts'
import { dropUserToken, userToken } from '../tokens/user-token.ts'
import { transact } from '../transact.ts'
import { confirmRoles } from './confirm-roles.ts'
import {
  emailList,
  installationList,
  membershipList,
  profileList,
  repositoryList,
} from './lists.ts'
import { type ListEnd, readList, type SyncedList } from './read-list.ts'
import { endSync } from './request-user-sync.ts'
import type { UserSync } from './user-sync.ts'

/**
 * Reads what a user sees at the code host, with the user's own token: organizations, installations,
 * repositories and rights. Without a token, only the installations on the user's account and organizations
 * are synced, and the stored rights are confirmed as the app; that does not count as a sync of the user. A
 * duplicate queue entry has no effect, neither during the first one nor later; an interrupted sync continues
 * where it stopped.
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
  /** The code host refused lists to the user: their stored data stays. */
  | 'partly'
  | 'without_token'

/** Reads all lists. If any call shows that the code host does not accept the token, it is dropped. */
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
  // An app registered by an earlier version lacks this permission, and works without it.
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

/** Reads a list that every sync needs: if it is refused, the sync fails, and no rights are removed. */
async function readOrThrow<T>(sync: UserSync, list: SyncedList<T>): Promise<void> {
  if ((await readList(sync, list)) === 'read') return
  throw new CodehostError(`the list ${list.name} of a user was refused`, { kind: 'refused' })
}

async function syncInstallationsOf(ctx: Context, userId: number): Promise<void> {
  for (const installation of await installationsOfUser(ctx.db, userId)) {
    await syncInstallation(ctx, installation)
  }
}

/**
 * Revokes the tokens and sessions of a user whom the settings no longer allow: a user who left the named
 * organizations, or whose login is no longer named (D46). `token` is the user's own at the code host; without
 * one, and if organizations decide, the user must log in again.
 */
async function endLoginsOfUnnamed(
  ctx: Context,
  userId: number,
  token: HeldToken | undefined,
): Promise<void> {
  const user = await findUser(ctx.db, userId)
  // Tokens of a user who has never logged in were issued by the operator on purpose.
  if (!user || user.first_logged_in_at === null) return
  const { people } = ctx.codehosts.codehost ?? {}
  const isIn =
    token !== undefined && people
      ? await isNamed(ctx, { people, token, user })
      : (isLetIn(user, ctx.config) ?? ctx.config.allowedOrganizations.length === 0)
  if (isIn !== false) return
  const purposes = ['api', 'feed', 'log', 'session'] as const
  const revoked = await revokeTokensOf(ctx.db, userId, { purposes, except: 0, now: ctx.now() })
  if (revoked === 0) return
  const words =
    'tokens were revoked: ALLOWED_LOGINS and ALLOWED_ORGANIZATIONS do not name their user'
  ctx.log.info({ user_id: userId, login: user.login, revoked }, words)
}

interface Read {
  hasMemberships: boolean
  /** Code host ids of the installations whose repositories could not be read. */
  unread: readonly number[]
}

/**
 * Forgets the memberships and rights of a user that the code host has not confirmed, once all lists were
 * read. Data of unreadable lists is kept. Repositories stay: others may see them.
 */
async function forgetUnconfirmed(
  db: Database,
  userId: number,
  { hasMemberships, unread }: Read,
): Promise<void> {
  const installations = (await entriesOf(db, userId, 'installations')).map(({ id }) => id)
  const lists = installations.map((id) => `repositories:${id}`)
  await keepLists(db, userId, ['profile', 'emails', 'memberships', 'installations', ...lists])
  if (hasMemberships) {
    const memberships = await entriesOf(db, userId, 'memberships')
    await keepMemberships(
      db,
      userId,
      memberships.map(({ id }) => id),
    )
  }
  await keepPermissions(db, userId, unread)
}
