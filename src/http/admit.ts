import { hasScope, isForSome, type TokenScope } from '../access/scopes.ts'
import type { Viewer } from '../access/viewer.ts'
import { isForSomeOnly, lacksScope, loginRequired } from '../domain/errors.ts'
import type { HttpContext } from './context.ts'
import { networkOf } from './network-of.ts'
import { anonymousCalls, knownCalls, type Rate } from './rates.ts'

/** Who can call an endpoint, whatever the call is about. */
export interface Admission {
  /** Whether it needs a login. */
  login: boolean
  /** Whether anonymous callers can use it even where `FORCE_AUTHENTICATION` is on. */
  open: boolean
  /** What a token must be for; `read` by default. */
  scope: TokenScope
  /** Whether a token for some repositories is enough: it changes nothing that is not in one of them. */
  forSome: boolean
  /** How often it can be called, if that is limited. */
  rate?: Rate
}

interface Caller {
  viewer: Viewer
  /** The address of the caller. */
  ip: string
}

/** Throws if a caller has called the API too often, where that is limited in general. */
export function countCall(
  { site, rates }: Pick<HttpContext, 'site' | 'rates'>,
  { viewer: { user }, ip }: Caller,
): void {
  if (!site.rateLimits) return
  if (user) rates.count(knownCalls, String(user.id))
  else rates.count(anonymousCalls, networkOf(ip))
}

/** Throws if a caller cannot call the endpoint at all. Nothing was looked up before but the caller. */
export function admit(
  { site, rates }: Pick<HttpContext, 'site' | 'rates'>,
  { login, open, scope, forSome, rate }: Admission,
  { viewer, ip }: Caller,
): void {
  const { user } = viewer
  const isKnown = user !== undefined || viewer.log !== undefined
  if (login ? !user : !isKnown && site.forceAuthentication && !open) throw loginRequired()
  // What only people can call is theirs, wherever they call it from.
  if (rate && (rate.of === 'everyone' || !user)) {
    rates.count(rate, login && user ? String(user.id) : networkOf(ip))
  }
  if (!hasScope(viewer, scope)) throw lacksScope(scope)
  if (!forSome && isForSome(viewer)) throw isForSomeOnly()
}
