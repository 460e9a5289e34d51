import type { Check } from './check.ts'
import type { OwnerType } from '../owner.ts'

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

/** A configuration that a request by API brought, and how what is below it is merged with it (RQ-23). */
export interface ApiConfig {
  config: string
  /** As it was given; null for the default, or what the text itself says. */
  mode: string | null
}

/** Variables that a request by API added, by name; what is `secure` is encrypted for the repository. */
export type RequestVariables = Readonly<Record<string, string | { secure: string }>>

/** Those of a request as they are read and stored, each with a name that no file can have (CF-12). */
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

/** What people call a file or one of those configurations. */
export function sourceName(source: string): string {
  if (!isApiSource(source)) return source
  const index = Number(source.slice('api.'.length))
  return index === 0
    ? 'the configuration of the request'
    : `configuration ${index + 1} of the request`
}

/** A line of one of them, for people. */
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
  /** Whether a push by force made it: its branch holds its earlier commits no longer. */
  forced: boolean
  /**
   * Where the branch was already when a push came late: a newer commit, or zeros for nowhere. Null for all others.
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
  /** Of a request by API, in order of precedence. */
  sources: ApiConfig[]
  /** Null without any. */
  variables: RequestVariables | null
  /** Stands for the message of the commit, where a request by API gave one. */
  commit_message: string | null
  config: Record<string, unknown> | null
  checks: Check[]
  /** How often the merge commit was not ready yet. */
  waits: number
  /** When it is looked up again; null for a request that never waited for it. */
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
