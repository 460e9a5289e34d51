import { CodehostError } from '../../codehost/codehost.ts'
import { NotifyError } from '../../notify/notify-error.ts'
import {
  type AnyOutboxRow,
  hasRows,
  keepRefused,
  markPublished,
  postpone,
  takeNextOfStream,
} from '../../store/outbox/outbox.ts'
import { workAlone } from '../../store/sql/locks.ts'
import type { Context } from '../context.ts'
import { notifyOfBuild } from '../notifications/notify-of-build.ts'
import { sendNotification } from '../notifications/send-notification.ts'
import { convergeStatus } from './converge-status.ts'
import { reportBuildCheck } from './report-build-check.ts'
import { reportCheck } from './report-check.ts'
import { queueOfStream } from './streams.ts'

/**
 * Refused reports are retried hourly, for seven days (D36). So are reports on objects that the code host does
 * not have: it may lag behind the event that named them, so a few quick retries come first.
 */
const refusalPause = 60 * 60
const quickTries = 6
const longestRefusal = 7 * 24 * 60 * 60

/** Seconds until a row that failed is retried, growing with each failure. */
const retryDelays = [1, 2, 4, 8, 15, 30, 60, 120]
const longestDelay = 300

/** As `retryDelays`, for a status that the code host rejects as invalid: three times within ten minutes. */
const secondsOfDoubt = [30, 120, 300]

/** Attempts to determine a build's recipients, after which its row is given up to not block others. */
const mostAttempts = 8

/**
 * Reports the rows of a stream to the code host, or sends its notifications, in their order, one at a
 * time. A row that fails temporarily or is refused is retried later, and holds back the rows after it; a row
 * that can never succeed is marked as failed and skipped. Each call uses one connection of the pool, also
 * while the code host or a target is called. After `most` rows, the rest is left to another queue entry.
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

/** Publishes a row; false if the row has to wait. */
async function publishOne(ctx: Context, row: AnyOutboxRow): Promise<boolean> {
  // This limit also counts attempts during which a process ended.
  if (row.kind === 'notify:build' && row.attempts > mostAttempts) {
    ctx.log.error({ outbox_id: row.id }, 'no recipient could be determined')
    const error = 'every attempt to determine the recipients failed'
    await markPublished(ctx.db, [row.id], { error, remedy: null })
    return true
  }
  try {
    await report(ctx, row)
    await markPublished(ctx.db, row.same_ids)
    return true
  } catch (error) {
    if (isRefused(row, error)) {
      ctx.log.warn({ outbox_id: row.id, kind: row.kind, err: error }, 'report was refused')
      const soon = error.kind === 'missing' && row.attempts < quickTries
      const seconds = soon ? (retryDelays[row.attempts] ?? refusalPause) : refusalPause
      await keepRefused(ctx.db, row.id, seconds, failedBy(error))
      if (soon) await publishAgain(ctx, row.stream, seconds)
      return false
    }
    const secondsInDoubt = secondsOfDoubt[row.rejections]
    if (secondsInDoubt !== undefined && mayBeTaken(row, error)) {
      await retryLater(ctx, { ...row, rejections: row.rejections + 1 }, error, secondsInDoubt)
      return false
    }
    if (error instanceof CodehostError && !error.temporary) {
      ctx.log.error({ outbox_id: row.id, kind: row.kind, err: error }, 'could not be reported')
      await markPublished(ctx.db, [row.id], failedBy(error))
      return true
    }
    if (row.kind === 'notify:build' && row.attempts >= mostAttempts) {
      ctx.log.error({ outbox_id: row.id, err: error }, 'no recipient could be determined')
      await markPublished(ctx.db, [row.id], failedBy(error))
      return true
    }
    await retryLater(ctx, row, error)
    return false
  }
}

const failedBy = (error: unknown) => ({
  error: error instanceof Error ? error.message : String(error),
  remedy: error instanceof CodehostError ? error.remedy : null,
})

/** Whether the row waits until someone has changed rights or settings at the code host. */
function isRefused({ refused_for }: AnyOutboxRow, error: unknown): error is CodehostError {
  if (!(error instanceof CodehostError)) return false
  if (error.kind !== 'refused' && error.kind !== 'missing') return false
  return (refused_for ?? 0) < longestRefusal
}

/** Whether a status rejected as invalid may be accepted soon, such as when its commit has been stored. */
function mayBeTaken({ kind }: AnyOutboxRow, error: unknown): boolean {
  if (kind !== 'status') return false
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
  delay = retryDelays[row.attempts] ?? longestDelay,
): Promise<void> {
  const asked = error instanceof CodehostError || error instanceof NotifyError
  const seconds = (asked ? error.retryAfter : null) ?? delay
  ctx.log.warn({ outbox_id: row.id, kind: row.kind, seconds, err: error }, 'will be reported later')
  const { attempts, rejections } = row
  const failed = { ...failedBy(error), attempts: attempts + 1, rejections }
  await postpone(ctx.db, row.id, seconds, failed)
  await publishAgain(ctx, row.stream, seconds)
}

function publishAgain({ enqueue }: Context, stream: string, seconds: number): Promise<void> {
  return enqueue(queueOfStream(stream), { stream }, { delay: seconds * 1000 })
}
