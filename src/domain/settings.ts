import type { Retention } from './retention.ts'

/**
 * A repository's settings: the ten of the specification, in its order, then ours. Null for a limit means the
 * installation's own.
 */
export interface Settings extends Retention {
  builds_only_with_service_yml: boolean
  build_pushes: boolean
  build_pull_requests: boolean
  /** Running jobs, despite the name; 0 means no limit (SC-10). */
  maximum_number_of_builds: number
  auto_cancel_pushes: boolean
  auto_cancel_pull_requests: boolean
  share_encrypted_env_with_forks: boolean
  share_ssh_keys_with_forks: boolean
  job_log_time_based_limit: boolean
  job_log_access_based_limit: boolean
  /** Minutes that a job may run, and may print nothing; null for the installation's values (RN-04). */
  timeout_hard_limit: number | null
  timeout_log_silence: number | null
  /** Whether other private repositories of the owner may import from it (CF-44). */
  allow_config_imports: boolean
  /** Days after which a log is old, if the operator hides logs by their age. */
  job_log_access_older_than_days: number
  /** Builds that can be requested through the API within an hour; null for the installation's value. */
  api_builds_rate_limit: number | null
}

type NumberSetting =
  | 'maximum_number_of_builds'
  | 'job_log_access_older_than_days'
  | 'api_builds_rate_limit'
  | 'timeout_hard_limit'
  | 'timeout_log_silence'
  | keyof Retention

export const defaultSettings: Settings = {
  builds_only_with_service_yml: true,
  build_pushes: true,
  build_pull_requests: true,
  maximum_number_of_builds: 0,
  auto_cancel_pushes: false,
  auto_cancel_pull_requests: false,
  share_encrypted_env_with_forks: false,
  share_ssh_keys_with_forks: false,
  job_log_time_based_limit: false,
  job_log_access_based_limit: false,
  allow_config_imports: false,
  job_log_access_older_than_days: 365,
  timeout_hard_limit: null,
  timeout_log_silence: null,
  api_builds_rate_limit: null,
  log_days: null,
  build_days: null,
  builds_kept: null,
}

/** The numbers that a setting can have, and whether it can be null. */
export interface SettingRange {
  minimum: number
  maximum: number
  nullable?: boolean
  /** Whether 0 means null. */
  zeroIsNull?: boolean
}

export const settingRanges: Readonly<Record<NumberSetting, SettingRange>> = {
  maximum_number_of_builds: { minimum: 0, maximum: 2 ** 31 - 1 },
  job_log_access_older_than_days: { minimum: 30, maximum: 730 },
  timeout_hard_limit: { minimum: 1, maximum: 180, nullable: true, zeroIsNull: true },
  timeout_log_silence: { minimum: 1, maximum: 60, nullable: true, zeroIsNull: true },
  api_builds_rate_limit: { minimum: 0, maximum: 200, nullable: true },
  log_days: { minimum: 1, maximum: 36_500, nullable: true, zeroIsNull: true },
  build_days: { minimum: 1, maximum: 36_500, nullable: true, zeroIsNull: true },
  builds_kept: { minimum: 1, maximum: 1_000_000_000, nullable: true, zeroIsNull: true },
}

export function isNumberSetting(name: keyof Settings): name is NumberSetting {
  return Object.hasOwn(settingRanges, name)
}
