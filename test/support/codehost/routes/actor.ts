import { Refusal } from '../reply.ts'
import type { Call } from '../route.ts'
import type { Account } from '../tables.ts'

/** In whose name a call does what it does. */
export function actorOf({ world, caller }: Call): Account {
  if (caller.kind === 'user') return caller.user
  if (caller.kind === 'installation') return world.app.bot
  throw new Refusal({ status: 401, message: 'Requires authentication' })
}
