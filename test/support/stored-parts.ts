import type { LogPart } from '../../src/domain/log/log.ts'
import type { Database } from '../../src/store/tables.ts'

/** The parts of a log that are in the database: of the current attempt, or of the one with this number. */
export function partsOfLog(db: Database, logId: number, attempt?: number): Promise<LogPart[]> {
  return db
    .selectFrom('log_parts')
    .select(['number', 'content', 'final'])
    .where('log_id', '=', logId)
    .where('attempt', '=', (eb) =>
      attempt === undefined
        ? eb.selectFrom('jobs').select('jobs.attempt').where('jobs.id', '=', logId)
        : eb.val(attempt),
    )
    .orderBy('number')
    .execute()
}
