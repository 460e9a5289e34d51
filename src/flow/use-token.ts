import type { Viewer } from '../access/viewer.ts'
import { hashToken } from '../secrets/token.ts'
import { refreshGrants } from '../store/token-grants.ts'
import { findToken, noteTokenUse } from '../store/tokens.ts'
import { noteActivity } from '../store/users.ts'
import type { Context } from './context.ts'

/** Milliseconds between two notes that a token was used. */
const notedEvery = 60_000

/**
 * The viewer that a valid token stands for; none where its user is blocked. Notes the use, at most once
 * a minute; from then on the token's whole lifetime is ahead of it again.
 */
export async function useToken(
  { db, now }: Pick<Context, 'db' | 'now'>,
  text: string,
): Promise<Viewer | undefined> {
  const at = now()
  const token = await findToken(db, hashToken(text), at)
  if (!token) return
  const { user } = token
  if (user.blocked_at !== null) return
  if (at.getTime() - (token.last_used_at?.getTime() ?? 0) > notedEvery) {
    await noteTokenUse(db, token.id, at)
    await noteActivity(db, user.id, at)
  }
  const viewer = { user, scopes: token.scopes, token_id: token.id }
  const { id, grantee_id } = token
  if (grantee_id === null) return viewer
  await refreshGrants(db, { id, user_id: user.id, grantee_id })
  return { ...viewer, grantee_id }
}
