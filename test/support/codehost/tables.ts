/** What someone may do with a repository, from most to least. */
export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read'

export interface Account {
  id: number
  login: string
  type: 'User' | 'Organization' | 'Bot'
  name: string | null
  email: string | null
  created_at: Date
  /** Of an organization, by the id of the user. */
  members: Map<number, 'admin' | 'member'>
}

export interface Repository {
  id: number
  owner: Account
  name: string
  /** Slugs that it had before; calls for them are redirected. */
  former_slugs: string[]
  private: boolean
  parent: Repository | null
  default_branch: string
  description: string | null
  language: string | null
  archived: boolean
  created_at: Date
  updated_at: Date
  pushed_at: Date
  /** A bare git repository. */
  folder: string
  /** By the id of the user; the owner and owners of the organization need no entry. */
  collaborators: Map<number, Role>
}

export type Permissions = Readonly<Record<string, 'read' | 'write'>>

export interface Installation {
  id: number
  account: Account
  repository_selection: 'all' | 'selected'
  /** Those selected; of no meaning when all are. */
  repositories: Set<Repository>
  permissions: Permissions
  events: readonly string[]
  created_at: Date
  updated_at: Date
  suspended_at: Date | null
}

export interface InstallationToken {
  kind: 'installation'
  token: string
  installation: Installation
  expires_at: Date
  permissions: Permissions
  /** Those that it is limited to; null for all that the installation has. */
  repositories: ReadonlySet<Repository> | null
}

export interface UserToken {
  kind: 'user'
  token: string
  refresh_token: string
  user: Account
  expires_at: Date
  /** Of a personal token; those of apps have none. */
  scopes?: readonly string[]
}

export interface Pull {
  id: number
  number: number
  repository: Repository
  user: Account
  title: string
  body: string | null
  state: 'open' | 'closed'
  draft: boolean
  head: { repository: Repository | null; owner: Account; ref: string; sha: string }
  base: { ref: string; sha: string }
  /** The merge commit as it was last made; `of` names the two commits that it was made of. */
  merge: { of: string; sha: string | null; mergeable: boolean }
  /** How many more calls report that the merge of these two commits is being created. */
  awaited: { of: string; reads: number }
  created_at: Date
  updated_at: Date
  closed_at: Date | null
  merged: { at: Date; by: Account; sha: string } | null
}

export interface Status {
  id: number
  repository: Repository
  sha: string
  state: 'error' | 'failure' | 'pending' | 'success'
  context: string
  description: string | null
  target_url: string | null
  creator: Account
  created_at: Date
}

export interface Annotation {
  path: string
  start_line: number
  end_line: number
  start_column: number | null
  end_column: number | null
  annotation_level: 'notice' | 'warning' | 'failure'
  title: string | null
  message: string
  raw_details: string | null
}

export interface CheckRun {
  id: number
  suite_id: number
  repository: Repository
  head_sha: string
  name: string
  external_id: string
  details_url: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: Conclusion | null
  started_at: Date
  completed_at: Date | null
  output: { title: string | null; summary: string | null; text: string | null }
  annotations: Annotation[]
  /** Its buttons, which only people see. */
  actions: CheckAction[]
}

export interface CheckAction {
  label: string
  description: string
  identifier: string
}

export const conclusions = [
  ...(['success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out'] as const),
  'action_required' as const,
]
export type Conclusion = (typeof conclusions)[number]

export interface HookDelivery {
  id: number
  guid: string
  delivered_at: Date
  redelivery: boolean
  /** What became of it: the status of the response, 0 without one. */
  status_code: number
  status: string
  event: string
  action: string | null
  installation_id: number | null
  repository_id: number | null
  url: string
  request: { headers: Record<string, string>; payload: Record<string, unknown> }
  response: { headers: Record<string, string>; payload: string | null }
}

/** A code that the browser brought back, to be exchanged for a token. */
export interface OAuthGrant {
  code: string
  user: Account
  redirect_uri: string | null
  code_challenge: string | null
  expires_at: Date
}

/** That a branch was moved, and by whom. */
export interface Activity {
  id: number
  repository: Repository
  ref: string
  before: string
  after: string
  activity_type: 'push' | 'force_push' | 'branch_creation' | 'branch_deletion'
  at: Date
  actor: Account
}

export interface Tables {
  accounts: Account[]
  repositories: Repository[]
  installations: Installation[]
  tokens: (InstallationToken | UserToken)[]
  pulls: Pull[]
  statuses: Status[]
  checkRuns: CheckRun[]
  deliveries: HookDelivery[]
  activities: Activity[]
  grants: OAuthGrant[]
  /** No id means anything in two tables. */
  nextId(): number
}

export function createTables(): Tables {
  let last = 4100
  return {
    accounts: [],
    repositories: [],
    installations: [],
    tokens: [],
    pulls: [],
    statuses: [],
    checkRuns: [],
    deliveries: [],
    activities: [],
    grants: [],
    nextId: () => ++last,
  }
}

/** Logins and slugs are the same in capitals and small letters. */
export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

export function slugOf({ owner, name }: Repository): string {
  return `${owner.login}/${name}`
}
