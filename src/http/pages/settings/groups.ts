import { isNumberSetting, settingRanges, type Settings } from '../../../domain/settings.ts'
import type { Given } from '../../parameters/nest.ts'
import type { FieldProblems } from '../parts/field.tsx'

type SettingName = keyof Settings

/** Settings that are saved together. */
export interface SettingGroup {
  id: string
  title: string
  /** The effect of each setting, in the order of the page. */
  settings: Partial<Record<SettingName, string>>
}

export const settingGroups: readonly SettingGroup[] = [
  {
    id: 'builds',
    title: 'What is built',
    settings: {
      build_pushes: 'Build pushes',
      build_pull_requests: 'Build pull requests',
      builds_only_with_service_yml: 'Build only commits that have a build file',
      auto_cancel_pushes: 'A push cancels older builds of its branch that have not started',
      auto_cancel_pull_requests: 'A new commit cancels older builds of its pull request',
      maximum_number_of_builds: 'Jobs that run at the same time; 0 for no limit',
    },
  },
  {
    id: 'limits',
    title: 'Time limits',
    settings: {
      timeout_hard_limit: 'Minutes that a job can run; empty for the limit of this installation',
      timeout_log_silence:
        'Minutes that a job can run without output; empty for the limit of this installation',
      api_builds_rate_limit:
        'Builds that can be requested in an hour; empty for the limit of this installation',
    },
  },
  {
    id: 'forks',
    title: 'Forks and imports',
    settings: {
      share_encrypted_env_with_forks: 'Pull requests from forks get encrypted variables',
      share_ssh_keys_with_forks: 'Pull requests from forks get SSH keys',
      allow_config_imports: 'Other private repositories of the owner can import from this one',
    },
  },
  {
    id: 'logs',
    title: 'Who reads logs',
    settings: {
      job_log_access_based_limit: 'Only users with push access read logs',
      job_log_time_based_limit: 'Old logs stay readable where this installation hides them',
      job_log_access_older_than_days: 'Days after which a log is old',
    },
  },
]

export function namesIn({ settings }: SettingGroup): SettingName[] {
  return Object.keys(settings).filter((name): name is SettingName => name in settings)
}

/** The values of one group, as its form was sent, and their errors. */
export function changesIn(
  group: SettingGroup,
  given: Given,
): { changes: Partial<Settings>; problems: FieldProblems } {
  const problems = new Map<string, string>()
  const entries = namesIn(group).map((name): [SettingName, boolean | number | null] => {
    // Browsers send nothing for a box that is not checked.
    if (!isNumberSetting(name)) return [name, given[name] === 'true']
    const { minimum, maximum, nullable = false } = settingRanges[name]
    const text = typeof given[name] === 'string' ? given[name].trim() : ''
    if (text === '' && nullable) return [name, null]
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= minimum && value <= maximum)) {
      problems.set(name, `enter a number from ${minimum} to ${maximum}`)
    }
    return [name, value]
  })
  return { changes: Object.fromEntries(entries), problems }
}
