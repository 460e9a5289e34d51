import { randomBytes, createHash, createHmac } from 'node:crypto'
import {
  CodehostError,
  type Grant,
  type People,
  type UserFacts,
  type Logins,
} from '../../codehost/codehost.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { User } from '../../domain/owner.ts'
import type { Sealer } from '../../secrets/seal.ts'
import { hashToken } from '../../secrets/token.ts'
import { findUserByCodehostId, putUser } from '../../store/people/users.ts'
import type { LoginState } from '../../store/tables.ts'
import { takeLoginState, insertLoginState } from '../../store/tokens/login-states.ts'
import { revokeSession } from '../../store/tokens/tokens.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { requestUserSync } from '../people/request-user-sync.ts'
import { transact } from '../transact.ts'
import { applications, issueToken } from './issue-token.ts'
import { mayLogIn } from './may-log-in.ts'
import { storeGrant } from './store-grant.ts'

/** The data with which a browser returns from the code host. */
interface Return {
  state: string
  /** Undefined if the user declined the login. */
  code: string | undefined
  /** The address that the browser returned to, as announced at the start. */
  callback: string
  /** Whether a token can still be handed over to an address. */
  isAllowed(target: string): boolean
  /** The browser's previous session, which a new one replaces. */
  session: string | undefined
  /** Address of the caller. */
  address: string
}

export type LoginOutcome =
  /** The state is unknown, was used before, or is too old. */
  | { kind: 'expired' }
  /** The login was begun for an address that can no longer receive a token. */
  | { kind: 'unallowed' }
  /** The user declined, or the code host does not identify the user. */
  | { kind: 'declined' | 'unresolved' }
  /** The user cannot log in here. */
  | { kind: 'refused' }
  | (Pick<LoginState, 'way' | 'target'> & { kind: 'logged_in'; user: User; token: string })

/**
 * Completes a login: creates or updates the user, stores the code host's token, requests a sync of the user,
 * and issues a token, or a session for the pages of this service.
 */
export async function logIn(
  ctx: Context,
  people: People,
  { state, code, callback, isAllowed, session, address }: Return,
): Promise<LoginOutcome> {
  const [random = ''] = state.split(':::', 1)
  const begun = await takeLoginState(ctx.db, hashToken(random), ctx.now())
  if (!begun) return { kind: 'expired' }
  // The settings may have changed since the login began.
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
      // A null address is only hidden from others, not lost.
      ...(email === null ? {} : { email }),
      provider: 'codehost',
      codehost_id,
      first_logged_in_at: known?.first_logged_in_at ?? tx.now(),
    })
    await storeGrant(tx, user.id, grant)
    // A login for another page keeps the session of this service's pages.
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
    // The login remains: the sweep enqueues the entry again.
    ctx.log.warn({ err: error, user_id: user.id }, 'a sync was not enqueued')
  })
  const { way, target } = begun
  return { kind: 'logged_in', way, target, user: { ...user, is_syncing: true }, token }
}

type Code = Parameters<NonNullable<People['logins']>['redeem']>[0]

/** The user who has returned, if they can log in. */
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
    ctx.log.warn({ reason: error.message }, 'the code host did not log anyone in')
    return 'unresolved'
  }
}

/** Milliseconds within which a login must be completed. */
const lifetime = 30 * 60 * 1000

interface Begun {
  /** The state with which the browser must return. */
  state: string
  /** The code host's page that the browser is sent to. */
  address: string
}

/** Begins a login at the code host. Its state can be used once. */
export async function beginLogin(
  ctx: Context,
  logins: Logins,
  { way, target, callback }: Pick<LoginState, 'way' | 'target'> & { callback: string },
): Promise<Begun> {
  const random = randomBytes(16).toString('base64url')
  const state = target === null ? random : `${random}:::${target}`
  // The login may be completed by a process that has another first master key.
  const [key_id] = ctx.sealer.keyIds
  const expires_at = new Date(ctx.now().getTime() + lifetime)
  await insertLoginState(ctx.db, { hash: hashToken(random), way, target, key_id, expires_at })
  const challenge = challengeOf(verifierOf(ctx, random, key_id))
  return { state, address: logins.address({ callback, state, challenge }) }
}

const purpose = 'login verifier'

/**
 * The verifier that proves to the code host that a code is redeemed by the party that requested it (PKCE). It
 * is derived from the state of the login and from the master key with this id, or else the first one, so it
 * is not stored.
 */
export function verifierOf(
  { sealer }: { sealer: Pick<Sealer, 'keyIds' | 'derive' | 'deriveAll'> },
  random: string,
  keyId: string | null,
): string {
  const index = sealer.keyIds.findIndex((id) => id === keyId)
  const key = sealer.deriveAll(purpose)[index] ?? sealer.derive(purpose)
  return createHmac('sha256', key).update(random).digest('base64url')
}

/** The challenge of a verifier, which is sent when the login begins. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
