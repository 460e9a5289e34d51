import { sql } from 'kysely'
import type { AuditRecord } from '../domain/audit.ts'
import { anyOf } from './any-of.ts'
import type { Page } from './page.ts'
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

/** What is not given is not filtered by. */
interface AuditFilter {
  /** Logins, as they were then. */
  actors: readonly string[]
  actions: readonly string[]
  subject_types: readonly string[]
  subject_id: number | undefined
  /** Only those before the one with this id. */
  before: number | undefined
}

/** A part of the records that match, newest first. They are many, so that nobody counts them. */
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
