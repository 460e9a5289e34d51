import type { TokenScope } from '../../access/scopes.ts'
import type { Actor } from '../../domain/audit.ts'
import { validationFailed } from '../../domain/errors.ts'
import type { Repository } from '../../domain/repository.ts'
import { hashToken, newToken } from '../../secrets/token.ts'
import { putPermission } from '../../store/people/permissions.ts'
import { insertTokenRepositories, insertTokenUser } from '../../store/tokens/token-grants.ts'
import {
  findTokenEnd,
  insertToken,
  setTokenUser,
  replaceToken,
  revokeTokensOf,
} from '../../store/tokens/tokens.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact, type Transaction } from '../transact.ts'
import { applications, endOfUnused, issueToken } from './issue-token.ts'

interface GivenToken {
  name: string
  scopes: readonly TokenScope[]
  /** When it ends, even if it is used; null for no fixed end. */
  ends_at: Date | null
}

/** The new token, which cannot be read again later (D25). */
export interface MadeToken {
  id: number
  token: string
}

/** Makes a token for the caller, with all their rights or only for some repositories. */
export function makeToken(
  ctx: Context,
  given: GivenToken & { seesPrivate: boolean; repository_ids: readonly number[] | null },
  actor: Actor,
): Promise<MadeToken> {
  const { user } = actor
  const { name, scopes, repository_ids, seesPrivate } = given
  return transact(ctx, async (tx) => {
    const { parent_id, ends_at } = await limitsOf(tx, actor, given)
    const owned = { user_id: user.id, parent_id, seesPrivate, made_by_id: user.id }
    const made = await insert(tx, { ...given, ends_at }, owned)
    if (repository_ids) {
      const grantee_id = await insertTokenUser(tx.db, made.id, 'codehost')
      await setTokenUser(tx.db, made.id, { grantee_id })
      await insertTokenRepositories(tx.db, made.id, repository_ids)
    }
    const changed = { name, scopes, repository_ids, sees_private: seesPrivate }
    const subject = { subject_type: 'token', subject_id: made.id } as const
    await audit(tx, actor, { action: 'make_token', ...subject, changed })
    return made
  })
}

/**
 * Makes a token that belongs to a repository and to no person: it stays when people leave. It has read
 * access, and write access if its scopes are for more than reading, but never admin access.
 */
export function makeRepositoryToken(
  ctx: Context,
  { id: repository_id, provider }: Pick<Repository, 'id' | 'provider'>,
  given: GivenToken,
  actor: Actor,
): Promise<MadeToken> {
  const { name, scopes } = given
  return transact(ctx, async (tx) => {
    const owned = { user_id: null, repository_id, seesPrivate: true, made_by_id: actor.user.id }
    // It is not revoked with the token of the call, which belongs to a person.
    const { ends_at } = await limitsOf(tx, actor, given)
    const made = await insert(tx, { ...given, ends_at }, owned)
    const user_id = await insertTokenUser(tx.db, made.id, provider)
    await setTokenUser(tx.db, made.id, { user_id })
    const push = scopes.some((scope) => scope !== 'read')
    await putPermission(tx.db, { user_id, repository_id, pull: true, push, admin: false })
    const changed = { token: made.id, name, scopes }
    const subject = { subject_type: 'repository', subject_id: repository_id } as const
    await audit(tx, actor, { action: 'make_token', ...subject, changed })
    return made
  })
}

/**
 * The limits of a token that is made with another token: it is revoked with that token, and does not outlive
 * it. Tokens that people make on the pages outlive their sessions.
 */
async function limitsOf(
  { db }: Transaction,
  { token_id }: Actor,
  { ends_at }: GivenToken,
): Promise<{ parent_id: number | null; ends_at: Date | null }> {
  const maker = token_id === null ? undefined : await findTokenEnd(db, token_id)
  if (maker?.purpose !== 'api') return { parent_id: null, ends_at }
  if (ends_at && maker.ends_at && ends_at > maker.ends_at) {
    const end = maker.ends_at.toISOString()
    const message = `expires_at is later than the expiry of the token that makes this call (${end})`
    throw validationFailed([{ field: 'expires_at', code: 'invalid', message }])
  }
  return { parent_id: token_id, ends_at: ends_at ?? maker.ends_at }
}

interface Owned {
  user_id: number | null
  parent_id?: number | null
  repository_id?: number
  made_by_id: number
  seesPrivate: boolean
}

async function insert(
  { db, now }: Transaction,
  { name, scopes, ends_at }: GivenToken,
  { seesPrivate, ...owned }: Owned,
): Promise<MadeToken> {
  const token = newToken()
  const id = await insertToken(db, {
    ...owned,
    name,
    hash: hashToken(token),
    scopes: ['public', ...(seesPrivate ? ['private'] : []), ...scopes],
    application: applications.api,
    expires_at: ends_at ?? endOfUnused(now()),
    ends_at,
  })
  return { id, token }
}

/** Replaces a token's text, with the same rights and end, and returns it. Tokens made with the token end. */
export function renewToken(ctx: Context, { id }: { id: number }, actor: Actor): Promise<string> {
  return transact(ctx, async (tx) => {
    const token = newToken()
    await replaceToken(tx.db, id, { hash: hashToken(token), now: tx.now() })
    await audit(tx, actor, { action: 'renew_token', subject_type: 'token', subject_id: id })
    return token
  })
}

/**
 * Makes a token that can only read the caller's feeds, and returns it: it cannot be read again later (D25).
 * It replaces the previous feed token.
 */
export function makeFeedToken(ctx: Context, actor: Actor): Promise<string> {
  const { user } = actor
  return transact(ctx, async (tx) => {
    const revoked = { purposes: ['feed'], except: 0, now: tx.now() } as const
    await revokeTokensOf(tx.db, user.id, revoked)
    const token = await issueToken(tx, user, 'feeds', {
      application: applications.api,
      purpose: 'feed',
    })
    const subject = { subject_type: 'user', subject_id: user.id } as const
    await audit(tx, actor, { action: 'make_feed_token', ...subject })
    return token
  })
}
