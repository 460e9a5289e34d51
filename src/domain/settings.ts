/** A repository's settings: the ten of the specification, in its order, then ours. */
export interface Settings {
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
  /** Whether other private repositories of the owner may import from it (CF-44). */
  allow_config_imports: boolean
  /** After so many days a log is old, where the operator has logs hidden by their age. */
  job_log_access_older_than_days: number
  /** Builds that can be requested through the API within an hour; null for the installation's. */
  api_builds_rate_limit: number | null
}

type NumberSetting =
  | 'maximum_number_of_builds'
  | 'job_log_access_older_than_days'
  | 'api_builds_rate_limit'

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
  api_builds_rate_limit: null,
}

/** Which numbers a setting can be, and whether it can be null. */
export interface SettingRange {
  minimum: number
  maximum: number
  nullable?: boolean
}

export const settingRanges: Readonly<Record<NumberSetting, SettingRange>> = {
  maximum_number_of_builds: { minimum: 0, maximum: 2 ** 31 - 1 },
  job_log_access_older_than_days: { minimum: 30, maximum: 730 },
  api_builds_rate_limit: { minimum: 0, maximum: 200, nullable: true },
}

export function isNumberSetting(name: keyof Settings): name is NumberSetting {
  return Object.hasOwn(settingRanges, name)
}
