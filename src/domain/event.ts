import type { InstallationFacts } from './installation.ts'
import type { Provider } from './owner.ts'

/** The events that the app subscribes to (`app.yml`). */
export const subscribedEvents = [
  'push',
  'pull_request',
  'merge_group',
  'create',
  'delete',
  'repository',
  'member',
  'membership',
  'organization',
  'team',
] as const

/** Subscribed events that an app may lack: rights then change with the next sync of a user. */
export const eventsOfPeople: readonly string[] = ['member', 'membership', 'organization', 'team']

/** Events that every app receives without a subscription; check events, because it can write checks. */
export const automaticEvents = [
  'installation',
  'installation_repositories',
  'installation_target',
  'check_run',
  'check_suite',
  'github_app_authorization',
] as const

export type HandledEvent = (typeof subscribedEvents | typeof automaticEvents)[number]

const handledEvents: readonly string[] = [...subscribedEvents, ...automaticEvents]

/** Actions of people on checks; all other check events are echoes of our own posts. */
const actsOnChecks: readonly (string | null)[] = ['rerequested', 'requested_action']

/** Whether an event is handled. */
export function isHandled(event: string, action: string | null): boolean {
  if (event.startsWith('check_') && !actsOnChecks.includes(action)) return false
  return handledEvents.includes(event)
}

/** A repository as described by an event of the code host. */
export interface RepositoryFacts {
  provider: Provider
  codehost_id: number
  name: string
  private: boolean
  fork: boolean
  default_branch: string
  description: string | null
  language: string | null
  archived: boolean
  owner: { codehost_id: number; login: string; type: 'User' | 'Organization' }
}

/** A repository as an event describes it: payloads may lack the owner and whether it is archived. */
export interface EventRepository extends Omit<RepositoryFacts, 'owner' | 'archived'> {
  owner: RepositoryFacts['owner'] | null
  archived: boolean | null
}

export interface SenderFacts {
  /** Null for bots, which belong to no user (WH-06). */
  codehost_id: number | null
  login: string
}

export interface CommitFacts {
  sha: string
  message: string
  committed_at: Date | null
  author_name: string | null
  author_email: string | null
  committer_name: string | null
  committer_email: string | null
}

interface Facts {
  delivery_id: number | null
  installation_codehost_id: number | null
  repository: EventRepository
  sender: SenderFacts
}

export interface PushEvent extends Facts {
  type: 'push'
  ref: string
  before: string
  after: string
  deleted: boolean
  /** Whether the push does not continue from the branch's former commit. */
  forced: boolean
  compare_url: string | null
  /** The commit at the tip; null when the branch was deleted, and where the payload does not describe it. */
  head_commit: CommitFacts | null
}

export interface PullRequestEvent extends Facts {
  type: 'pull_request'
  action: string
  number: number
  title: string
  state: 'open' | 'closed'
  draft: boolean
  html_url: string | null
  author_login: string | null
  author_codehost_id: number | null
  /** Whether an `edited` event moved the pull request to another base branch (WH-37). */
  retargeted: boolean
  mergeable_state: string | null
  /** When the pull request changed, by the code host's clock: events may come in another order. */
  changed_at: Date | null
  head: { sha: string; ref: string; repository_codehost_id: number | null; slug: string | null }
  base: { sha: string; ref: string }
}

/** A merge queue requests the check of a commit, or no longer needs it. */
export interface MergeGroupEvent extends Facts {
  type: 'merge_group'
  action: string
  /** The ref at which the queue keeps the commit. */
  ref: string
  base: { sha: string; ref: string }
  head_commit: CommitFacts
  /** Why a commit left the queue: `merged`, `invalidated` or `dequeued`. */
  reason: string | null
}

/** A branch or tag was created or deleted, which builds nothing. */
export interface RefEvent extends Facts {
  type: 'ref'
  ref_type: 'branch' | 'tag'
  name: string
  exists: boolean
}

/** The repository itself was created, changed or deleted. */
export interface RepositoryEvent extends Facts {
  type: 'repository'
  action: string
}

/** A check run of ours, as its events name it. */
export interface NamedCheck {
  name: string
  external_id: string | null
}

/** A user requests a rerun of a check run, or of all check runs of a commit. */
export interface RerequestEvent extends Facts {
  type: 'rerequest'
  head_sha: string
  /** Null for all check runs of the commit. */
  check: NamedCheck | null
  /** The branch or tag that a commit's check suite was made for; null if unknown. */
  ref_name: string | null
}

/** A user pressed a button of a check run. */
export interface CheckActionEvent extends Facts {
  type: 'check_action'
  head_sha: string
  check: NamedCheck
  /** Purpose of the button. */
  identifier: string
}

/** A user's rights on a repository have changed. */
export interface MemberEvent extends Facts {
  type: 'member'
  member: AccountFacts
}

/** The events about one repository. */
export type CodehostEvent =
  | PushEvent
  | PullRequestEvent
  | MergeGroupEvent
  | RefEvent
  | RepositoryEvent
  | RerequestEvent
  | CheckActionEvent
  | MemberEvent

/** The app was installed or uninstalled, or its repositories changed. */
export interface InstallationEvent extends Pick<Facts, 'delivery_id' | 'sender'> {
  type: 'installation'
  action: 'put' | 'suspended' | 'deleted'
  installation: InstallationFacts
  added: InstalledRepository[]
  /** Code host ids of the removed repositories. */
  removed: number[]
}

/** A user or organization of the code host, as events name it. */
export interface AccountFacts {
  codehost_id: number
  login: string
}

/** Someone joined or left an organization, or the organization is gone. */
export interface OrganizationEvent extends Pick<Facts, 'delivery_id' | 'sender'> {
  type: 'organization'
  action: string
  organization: AccountFacts
  /** Null for events about no member. */
  member: (AccountFacts & { role: string }) | null
}

/** A team of an organization has changed, and with it the rights of its members. */
export interface TeamEvent extends Pick<Facts, 'delivery_id' | 'sender'> {
  type: 'team'
  team: string
  organization: AccountFacts
  /** The member concerned; null for the whole team. */
  member: AccountFacts | null
}

/** A user has revoked the authorization of the app. */
export interface AuthorizationEvent extends Pick<Facts, 'delivery_id' | 'sender'> {
  type: 'authorization'
}

/** An account that the app is installed on got another name. */
export interface AccountEvent extends Pick<Facts, 'delivery_id' | 'sender'> {
  type: 'account'
  account: InstallationFacts['account']
  former_login: string | null
}

/** All data about a repository in the event; its owner is the installation's account. */
export interface InstalledRepository {
  codehost_id: number
  name: string
  private: boolean
}

export type RefName =
  | { kind: 'branch'; name: string }
  | { kind: 'tag'; name: string }
  | { kind: 'other'; name: string }

/** The ref of a branch or tag. */
export function refOf(kind: 'branch' | 'tag', name: string): string {
  return `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`
}

/** `refs/heads/feature/a` is branch `feature/a`, `refs/tags/v1` is tag `v1` (WH-22, WH-23). */
export function readRef(ref: string): RefName {
  const [, kind, name = ''] = /^refs\/([^/]+)\/(.+)$/s.exec(ref) ?? []
  if (kind === 'heads') return { kind: 'branch', name }
  if (kind === 'tags') return { kind: 'tag', name }
  return { kind: 'other', name: ref }
}
