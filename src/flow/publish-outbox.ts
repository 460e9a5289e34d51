import { CodehostError } from '../codehost/codehost.ts'
import { NotifyError } from '../notify/notify-error.ts'
import { workAlone } from '../store/locks.ts'
import {
  type AnyOutboxRow,
  hasRows,
  keepRefused,
  markPublished,
  postpone,
  takeNextOfStream,
} from '../store/outbox.ts'
import type { Context } from './context.ts'
import { notifyOfBuild } from './notify/notify-of-build.ts'
import { sendNotification } from './notify/send-notification.ts'
import { convergeStatus } from './report/converge-status.ts'
import { reportBuildCheck } from './report/report-build-check.ts'
import { reportCheck } from './report/report-check.ts'
import { queueOfStream } from './report/streams.ts'

/**
 * What was refused is tried again hourly, for seven days (D36). So is what the code host does not
 * have: it may be behind the event that named it, and is asked some more times at once.
 */
const refusalPause = 60 * 60
const quickTries = 6
const longestRefusal = 7 * 24 * 60 * 60

/** Seconds until a row that failed is retried, growing with each failure. */
const retryDelays = [1, 2, 4, 8, 15, 30, 60, 120, 300]

/** The same for a status that the code host calls wrong: three times within ten minutes. */
const secondsOfDoubt = [30, 120, 300]

/** After so many attempts what follows from a build is given up, so that it does not hold back others. */
const mostAttempts = 8

/**
 * Reports the rows of a stream to the code host, or sends its notifications, in their order, one at a
 * time. A row that fails temporarily is retried later and holds back those after it, and so does one
 * that is refused; one that can never succeed is marked so and skipped. Each call uses one connection of
 * the pool, also while the code host or a target is called. After so many rows the rest is left to
 * another entry.
 */
export async function publishOutbox(
  ctx: Context,
  stream: string,
  { most = Number.POSITIVE_INFINITY } = {},
): Promise<void> {
  const published = await workAlone(ctx.db, `stream:${stream}`, (db) =>
    publishAll({ ...ctx, db }, stream, most),
  )
  // The process that holds the stream may have read it before our row was committed.
  if (!published) await ctx.enqueue(queueOfStream(stream), { stream }, { delay: 1000 })
}

async function publishAll(ctx: Context, stream: string, most: number): Promise<void> {
  for (let count = 0; ; count += 1) {
    if (count === most) {
      if (await hasRows(ctx.db, stream)) await ctx.enqueue(queueOfStream(stream), { stream })
      return
    }
    const row = await takeNextOfStream(ctx.db, stream)
    if (!row) return
    if (row.due_in > 0) {
      const delay = Math.ceil(row.due_in)
      await ctx.enqueue(queueOfStream(stream), { stream }, { delay, once: `due-${row.id}` })
      return
    }
    if (!(await publishOne(ctx, row))) return
  }
}

/** False when the row has to wait. */
async function publishOne(ctx: Context, row: AnyOutboxRow): Promise<boolean> {
  // Those in which a process ended are counted as well.
  if (row.kind === 'notify:build' && row.attempts > mostAttempts) {
    ctx.log.error({ outbox_id: row.id }, 'nobody could be notified')
    await markPublished(
      ctx.db,
      row.id,
      'no attempt to find out who is to be notified came to an end',
    )
    return true
  }
  try {
    await report(ctx, row)
    await markPublished(ctx.db, row.id)
    return true
  } catch (error) {
    if (isRefused(row, error)) {
      ctx.log.warn({ outbox_id: row.id, kind: row.kind, err: error }, 'report was refused')
      const soon = error.kind === 'missing' && row.attempts < quickTries
      const seconds = soon ? (retryDelays[row.attempts] ?? refusalPause) : refusalPause
      await keepRefused(ctx.db, row.id, { seconds, error: error.message })
      if (soon) await publishAgain(ctx, row.stream, seconds)
      return false
    }
    if (mayBeTaken(row, error)) {
      await retryLater(ctx, row, error, secondsOfDoubt)
      return false
    }
    if (error instanceof CodehostError && !error.temporary) {
      ctx.log.error({ outbox_id: row.id, kind: row.kind, err: error }, 'could not be reported')
      await markPublished(ctx.db, row.id, error.message)
      return true
    }
    if (row.kind === 'notify:build' && row.attempts >= mostAttempts) {
      ctx.log.error({ outbox_id: row.id, err: error }, 'nobody could be notified')
      await markPublished(ctx.db, row.id, reasonOf(error))
      return true
    }
    await retryLater(ctx, row, error)
    return false
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Whether the row waits until someone has changed rights or settings at the code host. */
function isRefused({ refused_for }: AnyOutboxRow, error: unknown): error is CodehostError {
  if (!(error instanceof CodehostError)) return false
  if (error.kind !== 'refused' && error.kind !== 'missing') return false
  return (refused_for ?? 0) < longestRefusal
}

/** A status that the code host calls wrong may be taken soon, as while its commit is being stored there. */
function mayBeTaken({ kind, attempts }: AnyOutboxRow, error: unknown): boolean {
  if (kind !== 'status' || attempts >= secondsOfDoubt.length) return false
  if (!(error instanceof CodehostError) || error.kind !== 'invalid') return false
  return !/maximum number of statuses/i.test(error.message)
}

function report(ctx: Context, row: AnyOutboxRow): Promise<void> {
  if (row.kind === 'status') return convergeStatus(ctx, row.payload, row.attempts > 0)
  if (row.kind === 'check:build') return reportBuildCheck(ctx, row.payload)
  if (row.kind === 'notify:build') return notifyOfBuild(ctx, row.id, row.payload)
  if (row.kind === 'notify:send') return sendNotification(ctx, row.payload, row.waited)
  return reportCheck(ctx, row.payload)
}

async function retryLater(
  ctx: Context,
  row: AnyOutboxRow,
  error: unknown,
  delays = retryDelays,
): Promise<void> {
  const asked = error instanceof CodehostError || error instanceof NotifyError
  const retryAfter = asked ? error.retryAfter : null
  const seconds = retryAfter ?? delays[Math.min(row.attempts, delays.length - 1)] ?? 300
  ctx.log.warn({ outbox_id: row.id, kind: row.kind, seconds, err: error }, 'will be reported later')
  await postpone(ctx.db, row.id, { seconds, error: reasonOf(error) })
  await publishAgain(ctx, row.stream, seconds)
}

function publishAgain({ enqueue }: Context, stream: string, seconds: number): Promise<void> {
  return enqueue(queueOfStream(stream), { stream }, { delay: seconds * 1000 })
}
