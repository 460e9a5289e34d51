import { isShutOut } from '../../access/login-rights.ts'
import type { Viewer } from '../../access/viewer.ts'
import { hashToken } from '../../secrets/token.ts'
import { noteActivity } from '../../store/people/users.ts'
import { refreshGrants } from '../../store/tokens/token-grants.ts'
import { findToken, noteTokenUse } from '../../store/tokens/tokens.ts'
import type { Context } from '../context.ts'

/** Milliseconds between two records of a token's use. */
const notedEvery = 60_000

/** Milliseconds before a token's end in which its holder is notified. */
const toldBefore = 7 * 24 * 60 * 60 * 1000

/**
 * The viewer of a valid token; undefined if its user is blocked, or can no longer log in here (D46), which
 * for members of organizations is checked with each sync. Records the use, at most once a minute, which
 * restarts the token's lifetime. Tokens are looked up by their hashes, so that timing reveals nothing about
 * existing tokens.
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
