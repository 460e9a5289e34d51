import { CodehostError } from '../codehost/codehost.ts'
import {
  type AnyOutboxRow,
  countAttempt,
  markPublished,
  nextOfStream,
  postpone,
  withStreamLock,
} from '../store/outbox.ts'
import type { Context } from './context.ts'
import { reportCheck } from './report/report-check.ts'
import { reportSkipped, reportStatus } from './report/report-status.ts'

/** Seconds until a row that failed is tried again, growing with each failure. */
const pauses = [1, 2, 4, 8, 15, 30, 60, 120, 300]

/**
 * Reports what waits in a stream to the code host, in its order, one row at a time. What fails for a
 * while is retried later and holds back what comes after it; what can never succeed is marked so
 * and skipped. Each call uses one connection of the pool, also while the code host is asked.
 */
export async function publishOutbox(ctx: Context, stream: string): Promise<void> {
  const published = await withStreamLock(ctx.db, stream, (db) => publishAll({ ...ctx, db }, stream))
  // The one who works on the stream may have looked before our row was there.
  if (!published) await ctx.enqueue('outbox.publish', { stream }, { delay: 1000 })
}

async function publishAll(ctx: Context, stream: string): Promise<void> {
  for (;;) {
    const row = await nextOfStream(ctx.db, stream)
    if (!row) return
    const due = (row.next_attempt_at?.getTime() ?? 0) - ctx.now().getTime()
    if (due > 0) {
      await ctx.enqueue('outbox.publish', { stream }, { delay: due, once: `due-${row.id}` })
      return
    }
    if (!(await publishOne(ctx, row))) return
  }
}

/** False when the row has to wait. */
async function publishOne(ctx: Context, row: AnyOutboxRow): Promise<boolean> {
  await countAttempt(ctx.db, row.id)
  try {
    await report(ctx, row)
    await markPublished(ctx.db, row.id, ctx.now())
    return true
  } catch (error) {
    if (error instanceof CodehostError && !error.temporary) {
      ctx.log.error({ outbox_id: row.id, kind: row.kind, err: error }, 'could not be reported')
      await markPublished(ctx.db, row.id, ctx.now(), error.message)
      return true
    }
    await retryLater(ctx, row, error)
    return false
  }
}

function report(ctx: Context, row: AnyOutboxRow): Promise<void> {
  const again = row.attempts > 0
  if (row.kind === 'status:build') return reportStatus(ctx, row.payload, again)
  if (row.kind === 'status:skipped') return reportSkipped(ctx, row.payload, again)
  return reportCheck(ctx, row.payload)
}

async function retryLater(ctx: Context, row: AnyOutboxRow, error: unknown): Promise<void> {
  const asked = error instanceof CodehostError ? error.retryAfter : null
  const seconds = asked ?? pauses[Math.min(row.attempts, pauses.length - 1)] ?? 300
  ctx.log.warn({ outbox_id: row.id, kind: row.kind, seconds, err: error }, 'will be reported later')
  await postpone(ctx.db, row.id, {
    next_attempt_at: new Date(ctx.now().getTime() + seconds * 1000),
    error: error instanceof Error ? error.message : String(error),
  })
  const { stream } = row
  await ctx.enqueue('outbox.publish', { stream }, { delay: seconds * 1000 })
}
