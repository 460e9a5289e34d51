import type { AuditRecord } from '../domain/audit.ts'
import { type Database, json } from './tables.ts'

export async function insertAuditRecord(
  db: Database,
  { details, ...record }: Omit<AuditRecord, 'id'>,
): Promise<void> {
  await db
    .insertInto('audit_records')
    .values({ ...record, details: json(details) })
    .execute()
}
