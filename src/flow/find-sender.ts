import type { CodehostEvent } from '../domain/event.ts'
import type { User } from '../domain/owner.ts'
import { findUserByCodehostId } from '../store/users.ts'
import type { Database } from '../store/tables.ts'

/** Who caused the event, if it is somebody we know; bots are nobody (WH-06). */
export async function findSender(
  db: Database,
  { sender, repository }: Pick<CodehostEvent, 'sender' | 'repository'>,
): Promise<User | undefined> {
  if (sender.codehost_id === null) return
  return findUserByCodehostId(db, repository.provider, sender.codehost_id)
}
