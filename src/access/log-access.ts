import type { Settings } from '../domain/settings.ts'

/** The settings that can keep a log from those who can see its job. */
type LogSettings = Pick<Settings, 'job_log_time_based_limit' | 'job_log_access_based_limit'>

/**
 * Why a log is not shown to someone who can see its job; undefined if it is. `isOld` only where the
 * operator has logs hidden by their age. Despite its name `job_log_time_based_limit` lifts that limit.
 */
export function logRefusal(
  { job_log_time_based_limit, job_log_access_based_limit }: LogSettings,
  { isOld, canWrite }: { isOld: boolean; canWrite: boolean },
): 'log_expired' | 'log_access_denied' | undefined {
  if (isOld && !job_log_time_based_limit) return 'log_expired'
  if (job_log_access_based_limit && !canWrite) return 'log_access_denied'
  return undefined
}
