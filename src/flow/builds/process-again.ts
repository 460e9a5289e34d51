import type { Actor } from '../../domain/audit.ts'
import type { Build } from '../../domain/build.ts'
import { isFinished, type Job, unfinished } from '../../domain/job/job.ts'
import type { Request } from '../../domain/request/request.ts'
import { findBuildOfRequest, lockBuild, updateBuild } from '../../store/builds/builds.ts'
import { reopenRequest, restartJobs } from '../../store/builds/restarts.ts'
import { jobsOfBuild, moveJob } from '../../store/jobs/jobs.ts'
import { json } from '../../store/tables.ts'
import { notBuiltAgain } from '../../texts/log-endings.ts'
import { notificationsOf } from '../notifications/section.ts'
import type { Transaction } from '../transact.ts'
import { announceBuild } from './announce-build.ts'
import { createJobs, type NewBuild, plannedColumns, writeLog } from './create-jobs.ts'
import { reopenedBuild } from './restart-in-build.ts'

/**
 * Reopens the request of a build whose file could not be fetched, so that it is decided again (CF-10), unless
 * that is still in progress because the build was canceled in the meantime. Its only job, which just showed
 * the reason, waits without being scheduled until there is a plan. The caller holds the lock on the build.
 */
export async function processAgain(
  tx: Transaction,
  build: Build,
  jobs: readonly Pick<Job, 'id'>[],
  by: Actor,
): Promise<void> {
  await reopenRequest(tx.db, build.request_id)
  const restarted = { restarted_at: tx.now(), restarted_by_id: by.user.id }
  await restartJobs(
    tx.db,
    jobs.map(({ id }) => id),
    restarted,
  )
  await updateBuild(tx.db, build.id, { ...reopenedBuild(build, 'created'), ...restarted })
  await announceBuild(tx, { ...build, state: 'created' })
  tx.follow('request.accept', { request_id: build.request_id })
}

/**
 * Stores the jobs of the new plan in the build of a request that was decided again; the build's existing job
 * becomes the first of them. Undefined if the build has ended in the meantime.
 */
export async function planAgain(tx: Transaction, newBuild: NewBuild): Promise<Build | undefined> {
  const build = await lockReopened(tx, newBuild.request)
  const [job] = build ? await jobsOfBuild(tx.db, build.id) : []
  if (!build || !job) return
  const columns = plannedColumns(tx, newBuild)
  const notifications = await notificationsOf(tx.db, newBuild)
  const known = { ...build, private: build.private || newBuild.request.private }
  await updateBuild(tx.db, build.id, {
    ...columns,
    private: known.private,
    notifications: json(notifications),
  })
  await createJobs(tx, newBuild, known, job)
  const { state } = columns
  if (state !== build.state) await announceBuild(tx, { ...build, notifications, state })
  const { owner_id, owner_type } = newBuild.repository
  tx.follow('jobs.schedule', { owner_id, owner_type })
  return { ...build, state }
}

/** The open build of a request that is decided again, locked; undefined on a first decision, or if ended. */
async function lockReopened(
  { db }: Transaction,
  { id, configured_at }: Pick<Request, 'id' | 'configured_at'>,
): Promise<Build | undefined> {
  if (configured_at === null) return
  const found = await findBuildOfRequest(db, id)
  const build = found && (await lockBuild(db, found.id))
  return build && !isFinished(build) ? build : undefined
}

/** Ends the build of a request that was decided again, and rejected this time. */
export async function endReopened(
  tx: Transaction,
  request: Pick<Request, 'id' | 'configured_at' | 'private' | 'message'>,
): Promise<void> {
  const build = await lockReopened(tx, request)
  if (!build) return
  const at = tx.now()
  const ended = { state: 'errored' as const, started_at: at, finished_at: at }
  for (const job of await jobsOfBuild(tx.db, build.id)) {
    const errored = await moveJob(tx.db, job, unfinished, ended)
    if (errored) await writeLog(tx, job, notBuiltAgain(request.message))
  }
  await updateBuild(tx.db, build.id, {
    ...ended,
    duration: 0,
    private: build.private || request.private,
  })
  await announceBuild(tx, { ...build, state: 'errored' })
}
