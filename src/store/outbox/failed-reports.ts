import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { OutboxRow } from '../../domain/outbox.ts'
import { secondsAgo } from '../sql/age.ts'
import type { Database, Tables } from '../tables.ts'
import { isAwake, isReport, repositoryOfStream } from './outbox.ts'

/** Reports that failed for reasons with the same remedy. */
export interface FailedReports {
  count: number
  /** When the oldest of them was written. */
  since: Date
  /** How many of them the code host refused. */
  refused: number
  /** Why the newest report failed, and what people can do about the error. */
  error: string
  remedy: string | null
}

type Outbox<O> = SelectQueryBuilder<Tables, 'outbox', O>

/** A report with fewer failures is repeated within seconds, and not worth a notice. */
const mostUnshown = 5

/** Whether a row is a report that was refused or failed repeatedly, and is still tried. */
function isUnreported(eb: ExpressionBuilder<Tables, 'outbox'>) {
  return eb.and([
    eb('outbox.published_at', 'is', null),
    isReport,
    isAwake,
    eb('outbox.error', 'is not', null),
    eb.or([eb('outbox.refused_at', 'is not', null), eb('outbox.attempts', '>=', mostUnshown)]),
  ])
}

/** Whether a row is a report that was given up, without a newer report in its place. */
function isGivenUp(eb: ExpressionBuilder<Tables, 'outbox'>) {
  return eb.and([
    eb('outbox.published_at', 'is not', null),
    isReport,
    eb('outbox.error', 'is not', null),
    eb.not(
      eb.exists(
        eb
          .selectFrom('outbox as newer')
          .select('newer.id')
          .whereRef('newer.stream', '=', 'outbox.stream')
          .whereRef('newer.id', '>', 'outbox.id')
          .where('newer.published_at', 'is not', null)
          .where('newer.error', 'is', null),
      ),
    ),
  ])
}

/** The reports of one repository, or of all, that failed repeatedly and are still tried. */
export function unreported(db: Database, repositoryId?: number): Promise<FailedReports[]> {
  return byRemedy(db.selectFrom('outbox').where(isUnreported), repositoryId)
}

/** The reports of the last day that were given up, without newer reports in their place. */
export function givenUpReports(db: Database, repositoryId?: number): Promise<FailedReports[]> {
  const lately = db
    .selectFrom('outbox')
    .where('outbox.published_at', '>=', secondsAgo(24 * 60 * 60))
    .where(isGivenUp)
  return byRemedy(lately, repositoryId)
}

function byRemedy<O>(query: Outbox<O>, repositoryId: number | undefined): Promise<FailedReports[]> {
  return query
    .$if(repositoryId !== undefined, (all) =>
      all.where(repositoryOfStream, '=', String(repositoryId)),
    )
    .clearSelect()
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<Date>`min(created_at)`.as('since'),
      sql<number>`count(refused_at)::int`.as('refused'),
      sql<string>`(array_agg(error order by id desc))[1]`.as('error'),
      'remedy',
    ])
    .groupBy('remedy')
    .orderBy('since')
    .execute()
}

export type FailedReport = Pick<
  OutboxRow,
  'stream' | 'error' | 'remedy' | 'refused_at' | 'published_at'
>

/** The newest failed report of each of these streams, regardless of age. */
export function failedReportsOf(db: Database, streams: readonly string[]): Promise<FailedReport[]> {
  return db
    .selectFrom('outbox')
    .distinctOn('stream')
    .select(['stream', 'error', 'remedy', 'refused_at', 'published_at'])
    .where('stream', '=', sql<string>`any(${streams}::text[])`)
    .where((eb) => eb.or([isUnreported(eb), isGivenUp(eb)]))
    .orderBy('stream')
    .orderBy('id', 'desc')
    .execute()
}
