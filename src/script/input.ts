import type { JobConfig } from '../domain/job/job.ts'
import type { LanguageVersions, PathVariable } from '../domain/job/language-tools.ts'
import type { EventType } from '../domain/request/request.ts'
import type { Decrypt } from '../secrets/secure-value.ts'

/** Everything that the programs of a job are generated from. */
export interface ScriptInput {
  job: {
    id: number
    number: string
    name: string | null
    stage_name: string | null
    allow_failure: boolean
    restarted: boolean
    restarted_by: string | null
    web_url: string
  }
  build: { id: number; number: number; event_type: EventType; web_url: string }
  repository: { slug: string; private: boolean; default_branch: string }
  commit: {
    sha: string
    ref: string
    branch: string
    tag_name: string | null
    message: string
    range: string | null
  }
  pull_request: {
    number: number
    head_branch: string
    head_sha: string
    head_slug: string | null
    draft: boolean
  } | null
  /**
   * Where to fetch from. The token is given only to git, and only for the host of `url`. Instead,
   * `input` is a folder below $SERVICE_INPUT, and `origin` the address that it was cloned from.
   */
  source: { url: string; token: string | null } | { input: string; origin?: string | undefined }
  /** Printed in yellow at the top of the job's log. */
  notes: readonly string[]
  app_host: string
  /** Keys of the config that no one wrote: their default values request nothing. */
  assumed: readonly string[]
  versions: LanguageVersions
  path_variable: PathVariable
  /** Variables of the settings. Bash evaluates their values, like values of the config (EN-01). */
  variables: readonly { name: string; value: string; public: boolean; of: 'owner' | 'repository' }[]
  /** Whether there are secret variables of the repository that this job does not get. */
  withheld: boolean
  /** Whether there are variables of its owner that this job does not get. */
  withheld_of_owner: boolean
  /** Decrypts values of the config; null for a job that gets no encrypted values. */
  decrypt: Decrypt | null
  /** Whether there is a private key of the repository that this job does not get. */
  withheld_ssh_key: boolean
  /** A private key of the settings, for fetching and for the job. */
  ssh_key: { text: string; fingerprint: string | null } | null
  config: JobConfig
}
