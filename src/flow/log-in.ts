import { CodehostError, type Grant, type People, type UserFacts } from '../codehost/codehost.ts'
import { ServiceError } from '../domain/errors.ts'
import type { User } from '../domain/owner.ts'
import { hashToken } from '../secrets/token.ts'
import { takeLoginState } from '../store/login-states.ts'
import type { LoginState } from '../store/tables.ts'
import { revokeSession } from '../store/tokens.ts'
import { findUserByCodehostId, putUser } from '../store/users.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { applications, issueToken } from './issue-token.ts'
import { verifierOf } from './login/challenge.ts'
import { mayLogIn } from './login/may-log-in.ts'
import { storeGrant } from './login/store-grant.ts'
import { requestUserSync } from './request-user-sync.ts'
import { transact } from './transact.ts'

/** What a browser brings back from the code host. */
interface Return {
  state: string
  /** Undefined if its user does not want to log in. */
  code: string | undefined
  /** Where it came back to, as it was said before. */
  callback: string
  /** Whether a token can still be handed over to that address. */
  isAllowed(target: string): boolean
  /** The session that the browser had; a new one takes its place. */
  session: string | undefined
  /** Of the caller. */
  address: string
}

export type LoginOutcome =
  /** The state is unknown, was used before, or is too old. */
  | { kind: 'expired' }
  /** It was begun for an address that no token can be handed over to any more. */
  | { kind: 'unallowed' }
  /** The user does not want to, or the code host does not say who it is. */
  | { kind: 'declined' | 'unresolved' }
  /** The user cannot log in here. */
  | { kind: 'refused' }
  | (Pick<LoginState, 'way' | 'target'> & { kind: 'logged_in'; user: User; token: string })

/**
 * Ends a login that was begun: creates or updates the user, keeps the token of the code host, has what
 * the user sees there looked up, and issues a token, or for our own pages a session.
 */
export async function logIn(
  ctx: Context,
  people: People,
  { state, code, callback, isAllowed, session, address }: Return,
): Promise<LoginOutcome> {
  const [random = ''] = state.split(':::', 1)
  const begun = await takeLoginState(ctx.db, hashToken(random), ctx.now())
  if (!begun) return { kind: 'expired' }
  // The settings may have changed meanwhile.
  if (begun.way !== 'session' && !isAllowed(begun.target ?? '')) return { kind: 'unallowed' }
  if (code === undefined) return { kind: 'declined' }
  const verifier = verifierOf(ctx, random, begun.key_id)
  const found = await resolve(ctx, people, { code, callback, verifier })
  if (typeof found === 'string') return { kind: found }

  const { grant, facts } = found
  const issued = await transact(ctx, async (tx) => {
    const { codehost_id, email, ...rest } = facts
    const known = await findUserByCodehostId(tx.db, 'codehost', codehost_id)
    if (known && known.blocked_at !== null) return
    const user = await putUser(tx.db, {
      ...rest,
      // Who hides the address from others has not lost it.
      ...(email === null ? {} : { email }),
      provider: 'codehost',
      codehost_id,
      first_logged_in_at: known?.first_logged_in_at ?? tx.now(),
    })
    await storeGrant(tx, user.id, grant)
    // Whoever logs in to another page stays logged in to ours.
    if (session !== undefined && begun.way === 'session')
      await revokeSession(tx.db, hashToken(session), tx.now())
    const by = begun.way === 'session' ? 'login' : 'handshake'
    const purpose = begun.way === 'session' ? 'session' : 'api'
    const token = await issueToken(tx, user, by, { application: applications.handshake, purpose })
    const subject = { subject_type: 'user', subject_id: user.id } as const
    const actor = { user, token_id: null, address }
    await audit(tx, actor, { action: 'log_in', ...subject, changed: { by } })
    return { user, token, actor }
  })
  if (!issued) return { kind: 'refused' }
  const { actor, user, token } = issued
  await requestUserSync(ctx, user, actor).catch((error: unknown) => {
    if (error instanceof ServiceError && error.kind === 'already_syncing') return
    // Who is logged in stays so: the sweep enqueues the entry again.
    ctx.log.warn({ err: error, user_id: user.id }, 'a sync was not enqueued')
  })
  const { way, target } = begun
  return { kind: 'logged_in', way, target, user: { ...user, is_syncing: true }, token }
}

type Code = Parameters<NonNullable<People['logins']>['redeem']>[0]

/** Who has come back, if that is someone who can log in. */
async function resolve(
  ctx: Context,
  people: People,
  code: Code,
): Promise<{ grant: Grant; facts: UserFacts } | 'unresolved' | 'refused'> {
  try {
    const grant = await people.logins?.redeem(code)
    if (!grant) return 'unresolved'
    const owner = await people.ownerOf(grant)
    if (!owner) return 'refused'
    const { user } = owner
    const may = await mayLogIn(ctx, { people, token: grant, user })
    return may ? { grant, facts: user } : 'refused'
  } catch (error) {
    if (!(error instanceof CodehostError)) throw error
    ctx.log.warn({ reason: error.message }, 'the code host logged no one in')
    return 'unresolved'
  }
}
