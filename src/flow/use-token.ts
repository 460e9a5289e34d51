import { isShutOut } from '../access/login-rights.ts'
import type { Viewer } from '../access/viewer.ts'
import { hashToken } from '../secrets/token.ts'
import { refreshGrants } from '../store/token-grants.ts'
import { findToken, noteTokenUse } from '../store/tokens.ts'
import { noteActivity } from '../store/users.ts'
import type { Context } from './context.ts'

/** Milliseconds between two notes that a token was used. */
const notedEvery = 60_000

/** Milliseconds before its end in which the holder of a token is told of it. */
const toldBefore = 7 * 24 * 60 * 60 * 1000

/**
 * The viewer that a valid token stands for; none where its user is blocked, or cannot log in here any
 * more (D46), which for members of organizations is looked at with each sync. Notes the use, at most once
 * a minute; from then on the token's whole lifetime is ahead of it again. Tokens are looked up by their
 * hashes, so that how long it takes says nothing of those that there are.
 */
export async function useToken(
  { db, now, config }: Pick<Context, 'db' | 'now' | 'config'>,
  text: string,
  purpose: 'api' | 'feed' | 'session' = 'api',
): Promise<Viewer | undefined> {
  const at = now()
  const token = await findToken(db, { hash: hashToken(text), purpose }, at)
  if (!token) return
  const { user } = token
  if (isShutOut(user, config)) return
  if (at.getTime() - (token.last_used_at?.getTime() ?? 0) > notedEvery) {
    await noteTokenUse(db, token.id, at)
    await noteActivity(db, user.id, at)
  }
  const { id, scopes, grantee_id, ends_at } = token
  const isEnding = ends_at !== null && ends_at.getTime() - at.getTime() < toldBefore
  const viewer = { user, scopes, token_id: id, ...(isEnding ? { token_ends_at: ends_at } : {}) }
  if (grantee_id === null) return viewer
  await refreshGrants(db, { id, user_id: user.id, grantee_id })
  return { ...viewer, grantee_id }
}
