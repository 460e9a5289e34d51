import type { SenderFacts } from '../../domain/event.ts'
import type { Provider, User } from '../../domain/owner.ts'
import type { Database } from '../../store/tables.ts'
import { findUserByCodehostId } from '../../store/users.ts'

/** The user who caused the event, if known; undefined for bots (WH-06). */
export async function findSender(
  db: Database,
  { codehost_id }: SenderFacts,
  provider: Provider,
): Promise<User | undefined> {
  if (codehost_id === null) return
  return findUserByCodehostId(db, provider, codehost_id)
}
