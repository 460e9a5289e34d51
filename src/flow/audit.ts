import type { Author, Change } from '../domain/audit.ts'
import { insertAuditRecord } from '../store/upkeep/audit-records.ts'
import type { Transaction } from './transact.ts'

/**
 * Records a change and its author (D48), in the transaction of the change. Each verb that a person or a token calls
 * must call this function once something has changed; the architecture test enforces that.
 */
export async function audit(
  { db, now }: Pick<Transaction, 'db' | 'now'>,
  { user, token_id, address }: Author,
  { action, subject_type, subject_id, changed = {} }: Change,
): Promise<void> {
  await insertAuditRecord(db, {
    actor_id: user.id,
    actor: user.login,
    action,
    subject_type,
    subject_id,
    details: { token_id, address, changed },
    created_at: now(),
  })
}
