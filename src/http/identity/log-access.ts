import { jobRights } from '../../access/build-rights.ts'
import { isShutOut } from '../../access/login-rights.ts'
import { logReader } from '../../access/viewer.ts'
import type { RepositoryRecord } from '../../access/visibility.ts'
import { notFound, type ServiceError, stateConflict } from '../../domain/errors.ts'
import { defaultSettings, type Settings } from '../../domain/settings.ts'
import { findVersion } from '../../store/jobs/job-versions.ts'
import { findSeenLog, type SeenLog } from '../../store/repositories/repository-access.ts'
import { userOfToken } from '../../store/tokens/tokens.ts'
import type { Call } from '../core/endpoint.ts'
import { idIn, refuseDeleted } from '../core/path-id.ts'

/** The job whose log a path names, as seen by the viewer or by the maker of the viewer's log token. */
export async function findLog(
  call: Pick<Call, 'ctx' | 'viewer' | 'params'>,
  name: 'job' | 'log',
): Promise<SeenLog | undefined> {
  const { ctx, viewer, params } = call
  const id = idIn(params[name])
  const { log } = viewer
  if (log) {
    const maker = await userOfToken(ctx.db, log.token_id, ctx.now())
    if (!maker || isShutOut(maker, ctx.config)) return undefined
  }
  const found = id === undefined ? undefined : await findSeenLog(ctx.db, id, logReader(viewer))
  if (!found) await refuseDeleted(call, 'job', params[name])
  return found
}

/** Why the log of one attempt is not shown; without a number, of the current attempt. */
export async function refusalOfAttempt(
  call: Pick<Call, 'ctx' | 'viewer'>,
  log: SeenLog,
  attempt: number | undefined,
): Promise<ServiceError | undefined> {
  // An attempt that was lost with its runner has a log, but no other record.
  if (attempt !== undefined && (attempt < 0 || attempt > log.attempt)) return notFound('log')
  const earlier =
    attempt === undefined ? undefined : await findVersion(call.ctx.db, log.id, attempt)
  return refusalOfLog(call, log, earlier)
}

/**
 * Why the log of a job that the viewer can see is not shown; every access to a log checks it. A log is
 * as old as its run.
 */
export function refusalOfLog(
  { ctx, viewer }: Pick<Call, 'ctx' | 'viewer'>,
  log: RepositoryRecord & Pick<SeenLog, 'id' | 'started_at' | 'repository_settings'>,
  { started_at }: { started_at: Date | null } = log,
): ServiceError | undefined {
  const { write } = jobRights(viewer, log)
  const age = started_at ? ctx.now().getTime() - started_at.getTime() : 0
  const settings = { ...defaultSettings, ...log.repository_settings }
  const most = settings.job_log_access_older_than_days * 24 * 60 * 60 * 1000
  const isOld = ctx.config.logAgeLimit && age > most
  const kind = logRefusal(settings, { isOld, canWrite: write })
  return kind && stateConflict(kind, log)
}

/** The settings that can hide a log from users who can see its job. */
type LogSettings = Pick<Settings, 'job_log_time_based_limit' | 'job_log_access_based_limit'>

/**
 * Why a log is hidden from a viewer who can see its job; undefined if it is shown. `isOld` is true only if the
 * operator hides logs by age. Despite its name `job_log_time_based_limit` lifts that limit.
 */
function logRefusal(
  { job_log_time_based_limit, job_log_access_based_limit }: LogSettings,
  { isOld, canWrite }: { isOld: boolean; canWrite: boolean },
): 'log_expired' | 'log_access_denied' | undefined {
  if (isOld && !job_log_time_based_limit) return 'log_expired'
  if (job_log_access_based_limit && !canWrite) return 'log_access_denied'
  return undefined
}
