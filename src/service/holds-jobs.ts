import type { Config } from '../config/config.ts'
import type { Probe } from '../runner/executor.ts'

/** Whether jobs from a remote code host wait here, because this machine cannot isolate them. */
export function holdsJobs(
  { appId, jobsWithoutIsolation }: Pick<Config, 'appId' | 'jobsWithoutIsolation'>,
  { isolation }: Pick<Probe, 'isolation'>,
): boolean {
  return appId !== undefined && isolation === 'none' && !jobsWithoutIsolation
}
