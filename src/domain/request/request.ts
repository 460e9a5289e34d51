import type { OwnerType } from '../owner.ts'
import type { Check } from './check.ts'

export const eventTypes = ['push', 'pull_request', 'api', 'cron'] as const
export type EventType = (typeof eventTypes)[number]

export const requestStates = ['pending', 'created', 'started', 'configured', 'finished'] as const
export type RequestState = (typeof requestStates)[number]
export type RequestResult = 'accepted' | 'rejected'

/** Why no build was created, for programs; the message is for users. */
export type RejectionReason =
  | 'repository_archived'
  | 'repository_inactive'
  | 'no_commit'
  | 'commit_not_on_ref'
  | 'head_moved'
  | 'no_merge_commit'
  | 'owner_excluded'
  | 'skip_command'
  | 'pushes_disabled'
  | 'pull_requests_disabled'
  | 'sender_blocked'
  | 'pages_branch'
  | 'no_build_file'
  | 'branch_excluded'
  | 'condition'
  | 'no_jobs'
  | 'left_merge_queue'
  | 'internal_error'

/** A configuration in a request by API, and how the configurations below it are merged with it (RQ-23). */
export interface ApiConfig {
  config: string
  /** The mode as given; null for the default, or for the mode in the text itself. */
  mode: string | null
}

/** Variables that a request by API added, by name; `secure` values are encrypted for the repository. */
export type RequestVariables = Readonly<Record<string, string | { secure: string }>>

/** A request's configurations as read and stored, each with a name that no file can have (CF-12). */
export function broughtConfigs(configs: readonly ApiConfig[]) {
  return configs.map(({ config, mode }, index) => ({
    source: index === 0 ? 'api' : `api.${index}`,
    sha: null,
    text: config,
    merge_mode: mode,
  }))
}

export function isApiSource(source: string): boolean {
  return /^api(?:\.\d+)?$/.test(source)
}

/** Name of a file or of a request's configuration, for people. */
export function sourceName(source: string): string {
  if (!isApiSource(source)) return source
  const index = Number(source.slice('api.'.length))
  return index === 0
    ? 'the configuration of the request'
    : `configuration ${index + 1} of the request`
}

/** A line of a file or of a request's configuration, for people. */
export function placeText({ file, line }: NonNullable<Check['source']>): string {
  return isApiSource(file) ? `${sourceName(file)}, line ${line}` : `${file}:${line}`
}

export interface Request {
  id: number
  repository_id: number
  owner_id: number
  owner_type: OwnerType
  sender_id: number | null
  sender_login: string | null
  delivery_id: number | null
  event_type: EventType
  /** The code host's name of what happened to the pull request. */
  action: string | null
  state: RequestState
  result: RequestResult | null
  reason: RejectionReason | null
  message: string | null
  private: boolean
  ref: string | null
  before_sha: string | null
  after_sha: string | null
  /** Whether a forced push made the request, so that the branch no longer contains its earlier commits. */
  forced: boolean
  /**
   * The newer commit where the branch already was when a push came late, or zeros if nowhere. Null for
   * all other requests.
   */
  overtaken_by: string | null
  commit_id: number | null
  pull_request_id: number | null
  from_fork: boolean
  base_commit: string | null
  /** The branch that a pull request is to be merged into. */
  base_ref: string | null
  head_commit: string | null
  mergeable_state: string | null
  /** Configurations of a request by API, in order of precedence. */
  sources: ApiConfig[]
  /** Null if the request has none. */
  variables: RequestVariables | null
  /** Replaces the message of the commit, if a request by API gave one. */
  commit_message: string | null
  config: Record<string, unknown> | null
  checks: Check[]
  /** The number of attempts at which the merge commit was not ready yet. */
  waits: number
  /** When the merge commit is looked up again; null for a request that never waited for it. */
  retry_at: Date | null
  created_at: Date
  updated_at: Date
  started_at: Date | null
  configured_at: Date | null
  finished_at: Date | null
}

export type MessageLevel = 'alert' | 'error' | 'warn' | 'info'

/** A finding about a build file, as stored with the request that read it (CF-11). */
export interface RequestMessage {
  id: number
  request_id: number
  level: MessageLevel
  key: string[]
  code: string
  args: Record<string, unknown>
  /** The text for users, stored so that it never changes. */
  text: string
  src: string
  line: number | null
  column: number | null
}
