import { sql } from 'kysely'
import type { AuditRecord } from '../../domain/audit.ts'
import { anyOf } from '../sql/literals.ts'
import type { Page } from '../sql/page.ts'
import { type Database, json } from '../tables.ts'

export async function insertAuditRecord(
  db: Database,
  { details, ...record }: Omit<AuditRecord, 'id'>,
): Promise<void> {
  await db
    .insertInto('audit_records')
    .values({ ...record, details: json(details) })
    .execute()
}

/** Empty or undefined members do not filter. */
interface AuditFilter {
  /** Logins as of the time of the change. */
  actors: readonly string[]
  actions: readonly string[]
  subject_types: readonly string[]
  subject_id: number | undefined
  /** Only records before the record with this id. */
  before: number | undefined
}

/** Part of the matching records, newest first; too many to count. */
export function auditRecords(
  db: Database,
  { actors, actions, subject_types, subject_id, before }: AuditFilter,
  { limit, offset }: Pick<Page, 'limit' | 'offset'>,
): Promise<AuditRecord[]> {
  return db
    .selectFrom('audit_records')
    .selectAll()
    .$if(actors.length > 0, (query) => query.where(sql<boolean>`actor = ${anyOf(actors)}`))
    .$if(actions.length > 0, (query) => query.where(sql<boolean>`action = ${anyOf(actions)}`))
    .$if(subject_types.length > 0, (query) =>
      query.where(sql<boolean>`subject_type = ${anyOf(subject_types)}`),
    )
    .$if(subject_id !== undefined, (query) => query.where('subject_id', '=', subject_id ?? 0))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}
