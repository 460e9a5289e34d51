import type { Conclusion } from '../domain/commit/commit-check.ts'
import type { CommitStatus } from '../domain/commit/status.ts'
import type { AccountFacts, CommitFacts, RepositoryFacts } from '../domain/event.ts'
import type { InstallationFacts } from '../domain/installation.ts'
import type { Provider } from '../domain/owner.ts'
import type { Role } from '../domain/repository.ts'

/** The facts about a repository that a code host needs. */
export interface RepositoryRef {
  codehost_id: number
  slug: string
  private: boolean
  /** Id of the app's installation at the code host; null for the local one. */
  installation: number | null
}

export interface TreeEntry {
  name: string
  type: 'file' | 'folder' | 'other'
}

/** A pull request as the code host sees it now. */
export interface PullState {
  state: 'open' | 'closed'
  title: string
  draft: boolean
  html_url: string | null
  /** Null while the code host is still computing it, regardless of `mergeable_state` (D35). */
  mergeable: boolean | null
  mergeable_state: string
  /** Time of the last change, by the code host's clock; null if the code host does not report it. */
  changed_at: Date | null
  /** Null unless mergeable; belongs to an earlier head while a new merge commit is being created. */
  merge_commit_sha: string | null
  head: { sha: string; ref: string; repository_codehost_id: number | null; slug: string | null }
  base: { sha: string; ref: string }
}

export interface FoundCommit extends CommitFacts {
  /** Shas of its parents, in their order. */
  parents: readonly string[]
}

export interface Annotation {
  path: string
  start_line: number
  end_line: number
  start_column?: number
  end_column?: number
  level: 'notice' | 'warning' | 'failure'
  title: string
  message: string
}

export interface CheckRun {
  name: string
  head_sha: string
  external_id: string
  details_url: string
  /** Null while it is not completed. */
  conclusion: 'success' | Conclusion | null
  /** Whether a run that is not completed has begun. */
  begun?: boolean
  /** When it began and ended, as ISO 8601, if that is not now. Runs read from the code host have no times. */
  started_at?: string | undefined
  completed_at?: string | undefined
  title: string
  summary: string
  /** Text shown below the summary. */
  text?: string
  annotations: readonly Annotation[]
  /** Buttons in addition to the button for a rerun. Runs read from the code host have none. */
  actions?: readonly CheckAction[]
}

/** A button of a check run; pressing it sends the code host's event with its identifier. */
export interface CheckAction {
  /** At most 20 characters; the same limit applies to the identifier. */
  label: string
  /** At most 40 characters. */
  description: string
  identifier: string
}

export interface UserFacts {
  codehost_id: number
  login: string
  name: string | null
  email: string | null
  avatar_url: string | null
}

/** The source from which a job fetches its commit. */
export type CloneSource =
  /** The token can read only this repository and is valid for an hour at most. */
  | { kind: 'url'; url: string; token: string | null }
  /** A repository on this machine, and the address of its remote `origin`. */
  | { kind: 'folder'; path: string; origin?: string | undefined }

/**
 * The operations that the service needs from a code host. Each call throws a CodehostError when it
 * fails, and returns undefined for things that do not exist. An implementation can retry reads, but
 * never writes: these are retried by the outbox, which keeps their order.
 */
export interface Codehost {
  readonly provider: Provider
  /** The bytes of a file at a commit. Undefined for a folder or submodule at that path (CF-02). */
  file(repository: RepositoryRef, path: string, sha: string): Promise<Buffer | undefined>
  tree(repository: RepositoryRef, path: string, sha: string): Promise<TreeEntry[] | undefined>
  commit(repository: RepositoryRef, ref: string): Promise<FoundCommit | undefined>
  /** The commit of a branch or tag, which is given as a full ref. */
  tip(repository: RepositoryRef, ref: string): Promise<string | undefined>
  /**
   * Whether `sha` equals `other` or is its ancestor. The code host may know commits of other
   * repositories, such as forks.
   */
  isBehind(repository: RepositoryRef, sha: string, other: string): Promise<boolean>
  pull(repository: RepositoryRef, number: number): Promise<PullState | undefined>
  postStatus(repository: RepositoryRef, sha: string, status: CommitStatus): Promise<void>
  /** The statuses of a commit, newest first. */
  statuses(repository: RepositoryRef, sha: string): Promise<CommitStatus[]>
  /** Creates the run, or replaces the run of the same name and external id at that commit. */
  /** `again`: also posts an unchanged run: the code host shows a requested check as open until then. */
  putCheckRun(repository: RepositoryRef, run: CheckRun, again?: boolean): Promise<void>
  checkRuns(repository: RepositoryRef, sha: string): Promise<CheckRun[]>
  user(login: string): Promise<UserFacts | undefined>
  /**
   * A user's role in a repository, however it was granted; undefined for none. Another account that has
   * taken over the user's former login does not count as the user.
   */
  role(repository: RepositoryRef, user: AccountFacts): Promise<Role | undefined>
  /** Absent if no rights need confirmation. */
  readonly rights?: Rights
  repository(repository: RepositoryRef): Promise<RepositoryFacts | undefined>
  /** Without a token, the code host is not queried. `isNew`: requests a token that was not used before. */
  cloneSource(
    repository: RepositoryRef,
    options: { withToken: boolean; isNew?: boolean },
  ): Promise<CloneSource>
  /** Absent if the code host needs no installations. */
  readonly installations?: Installations
  /** Absent if the code host issues no tokens to users. */
  readonly people?: People
  /** Absent if the code host issues no tokens to users. */
  readonly listings?: Listings
  /** Absent if no event of the code host can get lost. */
  readonly past?: Past
}

/** A token of the code host that identifies a user. */
export interface HeldToken {
  token: string
  /** Null if unknown. */
  issued_at: Date | null
}

/** A user whose own token is used for reading from the code host. */
export interface UserToken extends HeldToken {
  codehost_id: number
}

/** Which page of a list to fetch; with an etag, only if the page has changed. */
export interface PageAsked {
  page: number
  etag: string | null
}

export interface ReadPage<T> {
  entries: readonly T[]
  /** Identifies this version of the page; null if the code host sent none. */
  etag: string | null
  /** Whether there is another page. */
  more: boolean
}

/** A mail address of a user. */
export interface EmailFacts {
  email: string
  verified: boolean
  /** Whether it is the user's primary address. */
  primary: boolean
}

export interface MembershipFacts {
  organization: AccountFacts
  role: 'admin' | 'member'
}

/** A repository with the user's role in it. */
export interface OwnedRepository {
  facts: RepositoryFacts
  role: Role
}

type UserPage<T> = Promise<ReadPage<T> | undefined>

/** Lists that a user can see, page by page; a page that has not changed is undefined. */
export interface Listings {
  /** A list with the user as its only entry. */
  profile(as: UserToken, asked: PageAsked): UserPage<UserFacts>
  emails(as: UserToken, asked: PageAsked): UserPage<EmailFacts>
  memberships(as: UserToken, asked: PageAsked): UserPage<MembershipFacts>
  installations(as: UserToken, asked: PageAsked): UserPage<InstallationFacts>
  repositories(as: UserToken, installation: number, asked: PageAsked): UserPage<OwnedRepository>
}

/** Roles of users, for callers that query many repositories and can wait. */
export interface Rights {
  /** Returns the result of `role`; undefined if unchanged since the response with this etag. */
  changed(
    repository: RepositoryRef,
    user: AccountFacts,
    etag: string | null,
  ): Promise<ChangedRole | undefined>
  /** Whether the app's remaining calls on that repository are reserved for calls that cannot wait. */
  isSpent(repository: RepositoryRef): boolean
}

export interface ChangedRole {
  role: Role | undefined
  /** Null if the response has no etag to compare with later. */
  etag: string | null
}

/** The installations of the app, with their repositories. */
export interface Installations {
  all(): Promise<InstallationFacts[]>
  find(installation: number): Promise<InstallationFacts | undefined>
  repositories(installation: number): Promise<RepositoryFacts[]>
  /** A repository, even one of no installation; undefined if the code host does not know or show it. */
  repository(
    installation: number,
    repository: Pick<RepositoryRef, 'codehost_id' | 'slug'>,
  ): Promise<RepositoryFacts | undefined>
  /** The user's membership in the organization of an installation; undefined for none. */
  membership(
    installation: number,
    organization: AccountFacts,
    user: AccountFacts,
  ): Promise<MembershipFacts['role'] | undefined>
}

/** Queries that use a user's own token of the code host. */
export interface People {
  /** The owner of the token; undefined if the token is not accepted. */
  ownerOf(token: HeldToken): Promise<TokenOwner | undefined>
  /** The logins of the organizations to which the token's user belongs. */
  organizationsOf(token: HeldToken): Promise<string[]>
  /** Whether the token's user can access any account or repository on which the app is installed. */
  hasInstallation(token: HeldToken): Promise<boolean>
  /** Absent if the app has no client id and secret. */
  readonly logins?: Logins
}

export interface TokenOwner {
  user: UserFacts
  /** The scopes of the token; null if the code host does not list them. */
  scopes: readonly string[] | null
}

/** Logins with a browser (OAuth with PKCE). */
export interface Logins {
  /** Address to which a browser is sent; it returns to `callback` with a code and the same state. */
  address(asked: { callback: string; state: string; challenge: string }): string
  /** The token for a code, which can be redeemed once; undefined if the code is not accepted. */
  redeem(code: { code: string; callback: string; verifier: string }): Promise<Grant | undefined>
  /** A new token with a new refresh token; undefined if the old refresh token is not accepted. */
  refresh(refreshToken: string): Promise<Grant | undefined>
}

/** A token as it was issued. */
export interface Grant extends HeldToken {
  /** Null if the token does not expire. */
  expires_at: Date | null
  /** Can be used once. */
  refresh_token: string | null
}

/** The code host's own record of a webhook that it sent. */
export interface PastWebhook {
  id: number
  /** Identical for every delivery of one webhook. */
  guid: string
  event: string
  action: string | null
  delivered_at: Date
  /** The repository's id at the code host. */
  repository: number | null
}

/** The code host's records of the past, for finding events that did not arrive here. */
export interface Past {
  /** The webhooks sent since then, newest first, as far as the code host remembers. */
  sent(since: Date): Promise<PastWebhook[]>
  sendAgain(webhook: Pick<PastWebhook, 'id'>): Promise<void>
  /** The repositories that an installation can access, with the time of the last push to each. */
  pushed(installation: number): Promise<PushedRepository[]>
  /** Shas by branch name. */
  heads(repository: RepositoryRef): Promise<Record<string, string>>
  /** The newest hundred tags, in one call. */
  tags(repository: RepositoryRef): Promise<NewestTags>
  /** The user who last moved a branch to a commit; undefined if the code host does not report it. */
  pusher(repository: RepositoryRef, to: { ref: string; sha: string }): Promise<Pusher | undefined>
}

export interface Pusher extends AccountFacts {
  type: 'User' | 'Bot'
}

export interface NewestTags {
  /** Newest first. */
  tags: readonly PastTag[]
  /** Whether there are older tags. */
  more: boolean
}

export interface PastTag {
  name: string
  /** Id of the object that the ref names: a commit, or an annotated tag, which is a separate object. */
  sha: string
  /** The commit that the tag points to, directly or not; null for a tag of another kind of object. */
  commit: string | null
  /** The time by which tags are sorted; null if there is none. */
  created_at: Date | null
}

export interface PushedRepository {
  facts: RepositoryFacts
  /** Null if there was never a push. */
  pushed_at: Date | null
}

/** The code hosts in use, by provider. Both can be active at once. */
export type Codehosts = Readonly<Partial<Record<Provider, Codehost>>>

/** Why a call of the code host failed. */
export type CodehostFailure =
  /** The code host is unreachable, or has an internal error. */
  | 'away'
  /** A rate limit was reached. */
  | 'limited'
  /** The code host does not permit the call; a change of rights or settings there can permit it. */
  | 'refused'
  /** The call is wrong for any caller: it does not fit what exists at the code host. */
  | 'invalid'
  /** The subject of the call does not exist, or is not accessible. */
  | 'missing'

/** A call of the code host failed. `temporary` says whether retrying can help. */
export class CodehostError extends Error {
  readonly kind: CodehostFailure
  readonly temporary: boolean
  /** Whether the only reason is that the app is suspended there, which may last. */
  readonly suspended: boolean
  /** Whether the token is not accepted, so that every other call with it fails as well. */
  readonly badToken: boolean
  /** Seconds to wait, if the code host requested a pause. */
  readonly retryAfter: number | null
  /** What people can do about the failure; null if unknown. */
  readonly remedy: string | null

  constructor(message: string, failure: Failure) {
    const { kind, retryAfter = null, suspended = false, badToken = false, cause } = failure
    super(message, { cause })
    this.kind = kind
    this.remedy = failure.remedy ?? null
    this.temporary = kind === 'away' || kind === 'limited'
    this.retryAfter = retryAfter
    this.suspended = suspended
    this.badToken = badToken
  }
}

interface Failure {
  kind: CodehostFailure
  retryAfter?: number | null
  suspended?: boolean
  badToken?: boolean
  remedy?: string | null
  cause?: unknown
}
