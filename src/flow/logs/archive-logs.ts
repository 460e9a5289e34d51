import { randomBytes } from 'node:crypto'
import { type ObjectStore, StoreError } from '../../objects/objects.ts'
import { packLog } from '../../objects/packed-log.ts'
import {
  abandonObject,
  abandonOldObjects,
  beginObject,
  closeLog,
  completeObject,
  type ObjectName,
  type SettledLog,
  settledLogs,
} from '../../store/jobs/log-objects.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'
import { deleteObject, deleteDueObjects } from './delete-objects.ts'
import { readLog } from './read-log.ts'
import { isInterrupted, scanLog } from './scan-logs.ts'

/**
 * The number of logs per step, and the milliseconds after which a run begins no further log:
 * repeated tasks wait for each other.
 */
const most = 50
const longest = 5000

/**
 * Searches finished logs for secrets, and writes them as compressed objects, which replace their
 * parts. Also deletes objects that no row names. An unusable store delays both.
 */
export async function archiveLogs(ctx: Context): Promise<void> {
  const end = performance.now() + longest
  const isLate = () => performance.now() > end
  await eachSettled(ctx, 'scan', isLate, async (log) => {
    try {
      await scanLog(ctx, log)
    } catch (error) {
      if (isInterrupted(error)) return false
      ctx.log.warn({ job_id: log.id, err: error }, 'a finished log could not be searched')
    }
    return true
  })
  await abandonOldObjects(ctx.db)
  await deleteDueObjects(ctx, isLate)
  const store = ctx.objects.current
  if (!store) return
  await eachSettled(ctx, 'archive', isLate, async (log) => {
    try {
      await archiveLog(ctx, store, log)
    } catch (error) {
      if (error instanceof StoreError) {
        ctx.log.warn({ reason: error.reason }, 'finished logs stay in the database for now')
        return false
      }
      ctx.log.warn({ job_id: log.id, err: error }, 'a finished log could not be archived')
    }
    return true
  })
}

/**
 * Calls `act` for each settled log, until it is late, or until a call returns that continuing is
 * useless.
 */
async function eachSettled(
  ctx: Context,
  to: 'scan' | 'archive',
  isLate: () => boolean,
  act: (log: SettledLog) => Promise<boolean>,
): Promise<void> {
  for (let after = 0; ;) {
    const logs = await settledLogs(ctx.db, { to, after, most })
    for (const log of logs) {
      if (isLate() || !(await act(log))) return
    }
    const last = logs.at(-1)
    if (!last || logs.length < most) return
    after = last.id
  }
}

async function archiveLog(ctx: Context, store: ObjectStore, log: SettledLog): Promise<void> {
  for (const attempt of log.attempts) {
    const key = keyOf(log.id, attempt)
    const name = { log_id: log.id, attempt, place: store.place, key }
    // Another process is writing the object, or was killed while writing it; the log is then
    // retried later.
    if (!(await beginObject(ctx.db, name))) return
    const isStored = await writeObject(ctx, store, name).catch(async (error: unknown) => {
      await abandon(ctx, name)
      throw error
    })
    if (!isStored) return await abandon(ctx, name)
  }
  // The last object of a log closes it.
  if (log.attempts.length === 0) await transact(ctx, (tx) => closeLog(tx.db, log.id))
}

/**
 * The object's key has a unique part: a key is never used again, even if a stalled process still
 * writes to it.
 */
function keyOf(id: number, attempt: number): string {
  const folders = [Math.floor(id / 10_000), Math.floor(id / 100) % 100]
  return `logs/${folders.join('/')}/${id}-${attempt}-${randomBytes(6).toString('hex')}.gz`
}

/** Writes an object, reads it back, and replaces the parts with it. */
async function writeObject(ctx: Context, store: ObjectStore, name: ObjectName): Promise<boolean> {
  const { layout, body, bytes, sha256 } = await packLog(
    readLog(ctx, name.log_id, { attempt: name.attempt }),
  )
  await store.put(name.key, body)
  if (!body.equals(await store.get(name.key))) {
    throw new StoreError(`${store.place} returns other bytes than were written`)
  }
  return transact(ctx, async (tx) => {
    const written = { layout, text_bytes: bytes, object_bytes: body.length, sha256 }
    const isStored = await completeObject(tx.db, name, written)
    if (isStored) await closeLog(tx.db, name.log_id)
    return isStored
  })
}

/** This process has stopped writing, so the object can be deleted immediately. */
async function abandon(ctx: Context, name: ObjectName): Promise<void> {
  await abandonObject(ctx.db, name)
  await deleteObject(ctx, name)
}
