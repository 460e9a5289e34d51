import type { Actor } from '../domain/audit.ts'
import { loginRequired } from '../domain/errors.ts'
import type { Call } from './endpoint.ts'

/** Who makes a change by this call, for the verb that records it. Anonymous callers change nothing. */
export function actorOf({ viewer, request }: Pick<Call, 'viewer' | 'request'>): Actor {
  const { user, token_id = null } = viewer
  if (!user) throw loginRequired()
  return { user, token_id, address: request.ip }
}
