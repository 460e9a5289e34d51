import type { Author, Change } from '../domain/audit.ts'
import { insertAuditRecord } from '../store/audit-records.ts'
import type { Transaction } from './transact.ts'

/**
 * Records who changed what (D48), in the transaction that changes it. Each verb that a person or a
 * token calls does so once something has changed, and the architecture test refuses those that do not.
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
