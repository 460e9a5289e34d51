import type { ColumnType, Generated, Kysely } from 'kysely'
import type { AuditRecord } from '../domain/audit.ts'
import type { Build } from '../domain/build.ts'
import type { Cache } from '../domain/cache.ts'
import type { Branch, Commit, PullRequest, Tag } from '../domain/commit/commit.ts'
import type { PostedStatus, StatusTarget } from '../domain/commit/status.ts'
import type { Cron } from '../domain/cron.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { EnvVar } from '../domain/env-var.ts'
import type { JobRun } from '../domain/failure/job-run.ts'
import type { Job, JobVersion } from '../domain/job/job.ts'
import type { Log } from '../domain/log/log.ts'
import type { Notification } from '../domain/notification.ts'
import type { OutboxRow } from '../domain/outbox.ts'
import type { Organization, Provider, User } from '../domain/owner.ts'
import type { Permission, Repository } from '../domain/repository.ts'
import type { Request, RequestMessage } from '../domain/request/request.ts'
import type { Settings } from '../domain/settings.ts'
import type { SshKey } from '../domain/ssh-key.ts'
import type { Stage } from '../domain/stage.ts'
import { mayNeedCleaning, storableValue } from '../domain/text/storable-text.ts'

export type Database = Kysely<Tables>

/** A column of JSON: read as its value, written as text (see `json`). */
type Json<T> = ColumnType<T, string, string>

/** The table of a record: columns in `Defaults` have defaults, and columns of JSON are written as text. */
type Row<R, Defaults extends keyof R, JsonColumns extends keyof R = never> = {
  [K in keyof R]: K extends JsonColumns
    ? K extends Defaults
      ? ColumnType<R[K], string | undefined, string>
      : Json<R[K]>
    : K extends Defaults
      ? Generated<R[K]>
      : R[K]
}

type GeneratedColumns = 'id' | 'created_at' | 'updated_at'

interface Tasks {
  name: string
  claimed_at: Date
}

interface InstallationSyncs {
  codehost_id: number
  requested_at: Date
}

/** A former slug of a repository, in lower case. */
interface FormerSlugs {
  repository_id: number
  provider: Provider
  slug: string
  left_at: Generated<Date>
}

export interface Runners {
  id: string
  host: string
  /** The machine of the runner (D52). */
  os: string
  arch: string
  executor: string
  isolation: string
  /** The queues whose jobs it takes; null for all. */
  queues: string[] | null
  /** Whether it takes jobs of forks that no one has approved. */
  without_approval: boolean
  slots: number
  version: string
  started_at: Date
  heartbeat_at: Date
  stopped_at: Date | null
  /** Why the runner takes no jobs for now. */
  problem: string | null
}

export interface Lease {
  job_id: number
  attempt: number
  runner_id: string
  claimed_at: Date
  renewed_at: Date
}

export interface Token {
  id: number
  user_id: number | null
  hash: string
  purpose: 'api' | 'feed' | 'log' | 'session'
  application: number
  name: string | null
  scopes: string[]
  job_id: number | null
  /** The repository that the token belongs to, if any; its user then acts for this token alone. */
  repository_id: number | null
  /** The user whose permissions the token has, if it is limited to some repositories of its own user. */
  grantee_id: number | null
  made_by_id: number | null
  /** The token that this token was made with, and with which it is revoked. */
  parent_id: number | null
  /** When the token ends, regardless of its use. */
  ends_at: Date | null
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
  /** The end about which its maker was notified. */
  noticed_end: Date | null
  revoked_at: Date | null
}

/** A call with an `Idempotency-Key`. */
export interface IdempotentCall {
  /** Digest of the caller, the endpoint and the key. */
  digest: string
  sealed_call: string
  created_at: Date
}

/** A login that has begun in a browser. */
export interface LoginState {
  /** Hash of the secret that the browser brings back. */
  hash: string
  way: 'form' | 'message' | 'session'
  /** The address that receives the token; for a session, the path of the page shown next. */
  target: string | null
  /** Id of the master key that its challenge was made with; null for a login of an earlier version. */
  key_id: string | null
  expires_at: Date
}

/** When a right was last fetched from the code host as the app, and the etag of the response. */
export interface AskedRight {
  asked_at: Generated<Date | null>
  asked_etag: Generated<string | null>
}

/** The token with which the code host is read for a user. */
export interface CodehostToken {
  user_id: number
  sealed_token: string
  /** The token for renewal; null if the token does not end. */
  sealed_refresh_token: string | null
  /** Null for a token stored before this time was noted. */
  issued_at: Date | null
  expires_at: Date | null
}

export interface StoredLogPart {
  log_id: number
  attempt: number
  number: number
  content: string
  final: boolean
  created_at: Date
}

export interface KeyPair {
  repository_id: number
  public_key: string
  fingerprint: string
  sealed_private_key: string
  created_at: Date
}

export interface Membership {
  user_id: number
  organization_id: number
  role: 'admin' | 'member'
}

/** A page of a list of the code host, as a user saw it last. */
export interface SyncPage {
  user_id: number
  /** `memberships`, or `repositories:` and the code host's id of an installation. */
  list: string
  page: number
  /** The etag by which the code host recognizes the page; null if it gave none. */
  etag: string | null
  /** Ids in this database, each with its meaning for the user. */
  entries: SyncEntry[]
  /** Whether there is another page. */
  more: boolean
  read_at: Date
}

export interface SyncEntry {
  id: number
  /** Role of a membership or on a repository. */
  role?: string
}

export interface Broadcast {
  id: number
  message: string
  category: 'announcement' | 'warning' | null
  /** Null for broadcasts to everyone. */
  recipient_type: 'User' | 'Organization' | 'Repository' | null
  recipient_id: number | null
  created_at: Date
  expires_at: Date | null
}

export interface Installation {
  id: number
  codehost_id: number
  owner_id: number
  owner_type: 'User' | 'Organization'
  added_by_id: number | null
  removed_by_id: number | null
  repository_selection: string | null
  permissions: Record<string, string>
  events: string[]
  removed_at: Date | null
  suspended_at: Date | null
  created_at: Date
  updated_at: Date
}

/** Where the branches of a repository stood when they were last looked up at the code host. */
interface SeenHeads {
  repository_id: number
  /** The last push as of then, by the code host's clock; null just after a push. */
  pushed_at: Date | null
  /** Shas by branch name. */
  heads: Readonly<Record<string, string>>
}

/** The newest tags of a repository, as they were when they were last looked up at the code host. */
export interface SeenTagsRow {
  repository_id: number
  /** `pushed_at` for the tags, as in `SeenHeads` for the branches. */
  pushed_at: Date | null
  /** Ids of the named objects by tag name: for an annotated tag, the id of the tag object itself. */
  tags: Readonly<Record<string, string>>
  /** The time of the oldest of these tags; null if there were no other tags. */
  since: Date | null
}

/** The app that this service registered, used if no settings name an app. */
export interface RegisteredApp {
  /** Web address of the code host at which the app is registered. */
  codehost_url: string
  app_id: string
  /** The app's page at the code host. */
  html_url: string
  sealed_credentials: string
  created_at: Date
}

/** The tables that code reads or writes. Other tables are added when they are first used. */
export interface Tables {
  approvals: {
    repository_id: number
    pull_request_id: number
    sha: string
    /** The branch that the pull request was to be merged into when it was approved. */
    base_ref: string
    approved_by_id: number | null
    /** Whether no one gave it: FORK_APPROVAL lets the head be built, but nothing is shared with it. */
    automatic: Generated<boolean>
    created_at: Generated<Date>
  }
  audit_records: Row<AuditRecord, 'id', 'details'>
  body_hash_key: { singleton: Generated<true>; sealed_key: string }
  beta_features: {
    id: Generated<number>
    name: string
    description: string
    feedback_url: string | null
    enabled: Generated<boolean>
  }
  branches: Row<Branch, GeneratedColumns | 'exists_on_codehost'>
  broadcasts: Row<Broadcast, 'id' | 'created_at'>
  builds: Row<
    Build,
    | GeneratedColumns
    | 'config'
    | 'notifications'
    | 'fast_finish'
    | 'waits_for_approval'
    | 'without_approval'
    | 'auto_canceled',
    'config' | 'notifications'
  >
  caches: Row<Cache, 'id' | 'last_modified'>
  codehost_tokens: CodehostToken & { updated_at: Generated<Date> }
  commit_statuses: StatusTarget & PostedStatus & { posted_at: Generated<Date> }
  commits: Row<Commit, 'id' | 'created_at'>
  crons: Row<
    Cron,
    'id' | 'created_at' | 'planned_at' | 'timezone' | 'active' | 'dont_run_if_recent_build_exists'
  >
  deliveries: Row<
    Delivery,
    'id' | 'sealed' | 'packed' | 'body_hash' | 'state' | 'attempts' | 'received_at'
  >
  env_vars: Row<EnvVar, GeneratedColumns | 'public'>
  former_slugs: FormerSlugs
  installations: Row<
    Installation,
    GeneratedColumns | 'permissions' | 'events',
    'permissions' | 'events'
  >
  jobs: Row<
    Job,
    | GeneratedColumns
    | 'config'
    | 'allow_failure'
    | 'origin'
    | 'checks'
    | 'attempt'
    | 'resets'
    | 'retries'
    | 'canceled_by_stage'
    | 'found_version'
    | 'image'
    | 'os'
    | 'arch'
    | 'unmet'
    | 'unmet_since'
    | 'found_machine'
    | 'reason',
    'config' | 'origin' | 'checks'
  >
  job_versions: JobVersion
  idempotent_calls: Row<IdempotentCall, 'created_at'>
  installation_syncs: Row<InstallationSyncs, 'requested_at'>
  key_pairs: Row<KeyPair, 'created_at'>
  ending_runs: Pick<Lease, 'job_id' | 'attempt' | 'runner_id'> & { ended_by: Date }
  leases: Lease
  job_runs: Row<Omit<JobRun, 'failure' | 'outside'>, 'ended_at', 'inputs'> & {
    failure: ColumnType<JobRun['failure'], string | null, string | null>
    outside: ColumnType<JobRun['outside'], string | null, string | null>
    shapes: Uint8Array | null
  }
  deleted_objects: { key: string }
  log_objects: { log_id: number; key: string; stored_at: Date | null }
  log_parts: Row<StoredLogPart, 'created_at' | 'final'>
  login_states: LoginState
  logs: Row<Log, 'created_at'>
  memberships: Membership
  notifications: Row<Notification, 'id' | 'attempts' | 'created_at' | 'response_status' | 'sent_at'>
  organizations: Row<Organization, GeneratedColumns | 'provider'>
  outbox: Row<OutboxRow, 'id' | 'attempts' | 'rejections' | 'created_at' | 'remedy', 'payload'>
  permissions: Row<Permission, 'pull' | 'push' | 'admin'> & AskedRight
  pull_requests: Row<PullRequest, GeneratedColumns | 'draft' | 'author_codehost_id' | 'vouched'>
  raw_configs: { id: Generated<number>; repository_id: number; sha256: string; text: string }
  repositories: Row<
    Repository,
    | GeneratedColumns
    | 'provider'
    | 'private'
    | 'fork'
    | 'active'
    | 'default_branch_name'
    | 'managed_by_installation'
    | 'next_build_number'
    | 'build_count'
  >
  repository_settings: { repository_id: number; values: Json<Partial<Settings>> }
  request_configs: {
    request_id: number
    position: number
    raw_config_id: number
    source: string
    sha: string | null
    merge_mode: string | null
  }
  request_messages: Row<RequestMessage, 'id', 'key' | 'args'>
  registered_apps: Row<RegisteredApp, 'created_at'>
  requests: Row<
    Request,
    | GeneratedColumns
    | 'forced'
    | 'from_fork'
    | 'config'
    | 'checks'
    | 'sources'
    | 'variables'
    | 'waits',
    'config' | 'checks' | 'sources' | 'variables'
  >
  key_fingerprint: { singleton: Generated<true>; fingerprint: string }
  runners: Row<Runners, 'without_approval'>
  tasks: Tasks
  signing_key: {
    singleton: Generated<true>
    public_key: string
    sealed_private_key: string
    created_at: Generated<Date>
  }
  seen_heads: Row<SeenHeads, never, 'heads'>
  seen_tags: Row<SeenTagsRow, never, 'tags'>
  sent_webhooks: { singleton: Generated<true>; seen_until: Date }
  ssh_keys: Row<SshKey, 'description' | 'created_at' | 'updated_at'>
  stages: Row<Stage, 'id'>
  stars: { user_id: number; repository_id: number }
  sync_pages: Row<SyncPage, 'read_at', 'entries'>
  tags: Row<Tag, 'id' | 'created_at' | 'exists_on_codehost'>
  token_repositories: { token_id: number; repository_id: number }
  tokens: Row<Token, 'id' | 'purpose' | 'application' | 'scopes' | 'created_at', 'scopes'>
  unsubscriptions: { user_id: number; repository_id: number }
  user_beta_features: { user_id: number; beta_feature_id: number; enabled: boolean }
  user_emails: { user_id: number; email: string; verified: boolean }
  users: Row<User, GeneratedColumns | 'provider' | 'is_syncing' | 'build_emails'>
  wanted_syncs: { user_id: number; requested_at: Generated<Date> }
}

/**
 * The columns that an upsert sets: all but its key. Setting the key, even unchanged, would lock out
 * inserts that refer to the row, and two of them could deadlock.
 */
export function omit<R extends object, K extends keyof R>(record: R, ...key: K[]): Omit<R, K> {
  const rest = Object.entries(record).filter(([name]) => !(key as string[]).includes(name))
  return Object.fromEntries(rest) as Omit<R, K>
}

/** A value as the text of a JSON column, without characters that PostgreSQL cannot store in it. */
export function json(value: unknown): string {
  const text = JSON.stringify(value)
  return mayNeedCleaning.test(text) ? JSON.stringify(storableValue(value)) : text
}
