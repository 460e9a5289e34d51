import type { Actor } from '../../domain/audit.ts'
import { loginRequired } from '../../domain/errors.ts'
import type { Call } from '../core/endpoint.ts'

/** The user who makes a change with this call, for the audit record. Throws for anonymous callers. */
export function actorOf({ viewer, request }: Pick<Call, 'viewer' | 'request'>): Actor {
  const { user, token_id = null } = viewer
  if (!user) throw loginRequired()
  return { user, token_id, address: request.ip }
}
