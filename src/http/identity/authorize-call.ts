import { hasScope, isForSome, type TokenScope } from '../../access/scopes.ts'
import type { Viewer } from '../../access/viewer.ts'
import { isForSomeOnly, lacksScope, loginRequired, type Quota } from '../../domain/errors.ts'
import type { HttpContext } from '../core/context.ts'
import { networkOf } from '../core/network-of.ts'
import { anonymousCalls, knownCalls, type Rate } from './rate-limits.ts'

/** The callers who can use an endpoint, regardless of the record. */
export interface Admission {
  /** Whether it needs a login. */
  login: boolean
  /** Whether anonymous callers can use it even if `FORCE_AUTHENTICATION` is on. */
  open: boolean
  /** The scope that a token must have; `read` by default. */
  scope: TokenScope
  /** Whether a token for some repositories is enough: the endpoint changes nothing outside of them. */
  forSome: boolean
  /** The limit of calls, if there is one. */
  rate?: Rate
}

interface Caller {
  viewer: Viewer
  /** The address of the caller. */
  ip: string
}

/** Counts a call if the API is rate-limited in general; returns the quota left, throws if there is none. */
export function countCall(
  { site, rates }: Pick<HttpContext, 'site' | 'rates'>,
  { viewer: { user }, ip }: Caller,
): Quota | undefined {
  if (!site.rateLimits) return undefined
  return user
    ? rates.count(knownCalls, String(user.id))
    : rates.count(anonymousCalls, networkOf(ip))
}

/**
 * Throws if a caller cannot call the endpoint at all; returns the quota left if its calls are limited.
 * Runs before anything except the caller is looked up.
 */
export function admit(
  { site, rates }: Pick<HttpContext, 'site' | 'rates'>,
  { login, open, scope, forSome, rate }: Admission,
  { viewer, ip }: Caller,
): Quota | undefined {
  const { user } = viewer
  const isKnown = user !== undefined || viewer.log !== undefined
  if (login ? !user : !isKnown && site.forceAuthentication && !open) throw loginRequired()
  // Endpoints that need a login are limited per user, from any address.
  const isCounted = rate && (rate.of === 'everyone' || !user)
  const quota = isCounted
    ? rates.count(rate, login && user ? String(user.id) : networkOf(ip))
    : undefined
  if (!hasScope(viewer, scope)) throw lacksScope(scope)
  if (!forSome && isForSome(viewer)) throw isForSomeOnly()
  return quota
}
