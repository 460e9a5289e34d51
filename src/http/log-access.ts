import { jobRights } from '../access/build-rights.ts'
import { logRefusal } from '../access/log-access.ts'
import { isShutOut } from '../access/login-rights.ts'
import { notFound, type ServiceError, stateConflict } from '../domain/errors.ts'
import { defaultSettings } from '../domain/settings.ts'
import { logReader } from '../access/viewer.ts'
import { findVersion } from '../store/job-versions.ts'
import { findSeenLog, type SeenLog } from '../store/seen.ts'
import { userOfToken } from '../store/tokens.ts'
import type { Call } from './endpoint.ts'
import { idIn } from './find-record.ts'

/** The job whose log a path names, as the viewer sees it, or whoever made the token that they came by. */
export async function findLog(
  { ctx, viewer, params }: Pick<Call, 'ctx' | 'viewer' | 'params'>,
  name: 'job' | 'log',
): Promise<SeenLog | undefined> {
  const id = idIn(params[name])
  const { log } = viewer
  if (log) {
    const maker = await userOfToken(ctx.db, log.token_id, ctx.now())
    if (!maker || isShutOut(maker, ctx.config)) return undefined
  }
  return id === undefined ? undefined : findSeenLog(ctx.db, id, logReader(viewer))
}

/** The same for one attempt of the job; the one that counts now without a number. */
export async function refusalOfAttempt(
  call: Pick<Call, 'ctx' | 'viewer'>,
  log: SeenLog,
  attempt: number | undefined,
): Promise<ServiceError | undefined> {
  // Of one that was lost with its runner there is a log, and no other record.
  if (attempt !== undefined && (attempt < 0 || attempt > log.attempt)) return notFound('log')
  const earlier =
    attempt === undefined ? undefined : await findVersion(call.ctx.db, log.id, attempt)
  return refusalOfLog(call, log, earlier)
}

/**
 * Why the log of a job that the viewer can see is not shown; every way to a log asks for it. It is as old
 * as the run that it is of.
 */
export function refusalOfLog(
  { ctx, viewer }: Pick<Call, 'ctx' | 'viewer'>,
  log: SeenLog,
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
