import type { AccountFacts, CommitFacts, RepositoryFacts } from '../domain/event.ts'
import type { InstallationFacts } from '../domain/installation.ts'
import type { Conclusion } from '../domain/commit-check.ts'
import type { Provider } from '../domain/owner.ts'
import type { Role } from '../domain/repository.ts'
import type { CommitStatus } from '../domain/status.ts'

/** A repository, as far as the code host needs to know it. */
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
  /** Null while the code host has not found out, whatever `mergeable_state` says (D35). */
  mergeable: boolean | null
  mergeable_state: string
  /** When it changed last, by the code host's clock; null where that does not tell. */
  changed_at: Date | null
  /** Null unless it can be merged; of another head while a new one is being created. */
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
  /** Of one that is not completed: whether it has begun. */
  begun?: boolean
  title: string
  summary: string
  /** What is shown below the summary. */
  text?: string
  annotations: readonly Annotation[]
  /** Buttons that it has, besides the one that repeats it. What is read of a run has none. */
  actions?: readonly CheckAction[]
}

/** A button of a check run; pressing it sends the code host's event with its identifier. */
export interface CheckAction {
  /** At most 20 characters, as the identifier. */
  label: string
  /** At most 40. */
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

/** Where a job fetches its commit from. */
export type CloneSource =
  /** The token can read only this repository and is valid for an hour at most. */
  | { kind: 'url'; url: string; token: string | null }
  /** A repository on this machine. */
  | { kind: 'folder'; path: string }

/**
 * What the service needs from a code host. Each call throws a CodehostError when it fails, and
 * returns undefined for what does not exist. An implementation can retry reads, but never writes:
 * these are retried by the outbox, which keeps their order.
 */
export interface Codehost {
  readonly provider: Provider
  /** The bytes of a file at a commit. A folder or submodule at that path counts as none (CF-02). */
  file(repository: RepositoryRef, path: string, sha: string): Promise<Buffer | undefined>
  tree(repository: RepositoryRef, path: string, sha: string): Promise<TreeEntry[] | undefined>
  commit(repository: RepositoryRef, ref: string): Promise<FoundCommit | undefined>
  /** The commit of a branch or tag, which is named as a whole ref. */
  tip(repository: RepositoryRef, ref: string): Promise<string | undefined>
  /**
   * Whether a commit is another one, or came before it. The code host may know more commits than a
   * repository's own, such as those of its forks.
   */
  isBehind(repository: RepositoryRef, sha: string, other: string): Promise<boolean>
  pull(repository: RepositoryRef, number: number): Promise<PullState | undefined>
  postStatus(repository: RepositoryRef, sha: string, status: CommitStatus): Promise<void>
  /** The statuses of a commit, newest first. */
  statuses(repository: RepositoryRef, sha: string): Promise<CommitStatus[]>
  /** Creates the run, or replaces the one of the same name and external id at that commit. */
  /** `again`: posts it though it is shown already, since its suite is open as long as that was asked for. */
  putCheckRun(repository: RepositoryRef, run: CheckRun, again?: boolean): Promise<void>
  checkRuns(repository: RepositoryRef, sha: string): Promise<CheckRun[]>
  user(login: string): Promise<UserFacts | undefined>
  /**
   * What a user may do with a repository, in whatever way they came by it; undefined for nothing. Who has
   * taken over the user's former login is someone else.
   */
  role(repository: RepositoryRef, user: AccountFacts): Promise<Role | undefined>
  /** Absent where nothing has to be confirmed. */
  readonly rights?: Rights
  repository(repository: RepositoryRef): Promise<RepositoryFacts | undefined>
  /** Without a token nothing is asked of the code host for it; `isNew`: none that was used before. */
  cloneSource(
    repository: RepositoryRef,
    options: { withToken: boolean; isNew?: boolean },
  ): Promise<CloneSource>
  /** Absent if nothing has to be installed. */
  readonly installations?: Installations
  /** Absent where users have no tokens of the code host. */
  readonly people?: People
  /** The same. */
  readonly listings?: Listings
  /** Absent if nothing that happens there can get lost. */
  readonly past?: Past
}

/** A token of the code host that stands for a user. */
export interface HeldToken {
  token: string
  /** Null where that is not known. */
  issued_at: Date | null
}

/** A user whose own token the code host is read with. */
export interface UserToken extends HeldToken {
  codehost_id: number
}

/** Which page of a list is asked for; with an etag, only if it is not the same any more. */
export interface PageAsked {
  page: number
  etag: string | null
}

export interface ReadPage<T> {
  entries: readonly T[]
  /** What the page is recognized by later; null where the code host gives nothing. */
  etag: string | null
  /** Whether there is another page. */
  more: boolean
}

/** An address of a user. */
export interface EmailFacts {
  email: string
  verified: boolean
  /** Whether it is the first of them. */
  primary: boolean
}

export interface MembershipFacts {
  organization: AccountFacts
  role: 'admin' | 'member'
}

/** A repository, and what the user may do with it. */
export interface OwnedRepository {
  facts: RepositoryFacts
  role: Role
}

type UserPage<T> = Promise<ReadPage<T> | undefined>

/** What a user sees, page by page; a page that has not changed is undefined. */
export interface Listings {
  /** The user alone. */
  profile(as: UserToken, asked: PageAsked): UserPage<UserFacts>
  emails(as: UserToken, asked: PageAsked): UserPage<EmailFacts>
  memberships(as: UserToken, asked: PageAsked): UserPage<MembershipFacts>
  installations(as: UserToken, asked: PageAsked): UserPage<InstallationFacts>
  repositories(as: UserToken, installation: number, asked: PageAsked): UserPage<OwnedRepository>
}

/** What users may do, for those who ask about many repositories and can wait. */
export interface Rights {
  /** As `role` has it; undefined if it is as it was in the response with this etag. */
  changed(
    repository: RepositoryRef,
    user: AccountFacts,
    etag: string | null,
  ): Promise<ChangedRole | undefined>
  /** Whether the calls that are left now, as the app on that repository, are for what cannot wait. */
  isSpent(repository: RepositoryRef): boolean
}

export interface ChangedRole {
  role: Role | undefined
  /** Null where the response is not to be recognized by one. */
  etag: string | null
}

/** Where the app is installed, and on what. */
export interface Installations {
  all(): Promise<InstallationFacts[]>
  find(installation: number): Promise<InstallationFacts | undefined>
  repositories(installation: number): Promise<RepositoryFacts[]>
  /** One that may be none of its own; undefined if the code host does not know it, or does not show it. */
  repository(
    installation: number,
    repository: Pick<RepositoryRef, 'codehost_id' | 'slug'>,
  ): Promise<RepositoryFacts | undefined>
  /** How someone belongs to the organization of an installation; undefined for not at all. */
  membership(
    installation: number,
    organization: AccountFacts,
    user: AccountFacts,
  ): Promise<MembershipFacts['role'] | undefined>
}

/** What is asked with a user's own token of the code host. */
export interface People {
  /** Whose token it is; undefined for one that is not accepted. */
  ownerOf(token: HeldToken): Promise<TokenOwner | undefined>
  /** The logins of the organizations that the user of a token belongs to. */
  organizationsOf(token: HeldToken): Promise<string[]>
  /** Whether the user of a token can access anything that the app is installed on. */
  hasInstallation(token: HeldToken): Promise<boolean>
  /** Absent where the app has no client id and secret. */
  readonly logins?: Logins
}

export interface TokenOwner {
  user: UserFacts
  /** What the token is for; null where the code host does not list it. */
  scopes: readonly string[] | null
}

/** How people log in with a browser (OAuth, with PKCE). */
export interface Logins {
  /** Where a browser is sent; it comes back to `callback` with a code and the same state. */
  address(asked: { callback: string; state: string; challenge: string }): string
  /** The token for a code, which can be redeemed once; undefined if the code is not accepted. */
  redeem(code: { code: string; callback: string; verifier: string }): Promise<Grant | undefined>
  /** A new token, and a new one to refresh that; undefined if the old one is not accepted. */
  refresh(refreshToken: string): Promise<Grant | undefined>
}

/** A token as it was issued. */
export interface Grant extends HeldToken {
  /** Null if it does not end. */
  expires_at: Date | null
  /** Works once. */
  refresh_token: string | null
}

/** The code host's own record of a webhook that it sent. */
export interface PastWebhook {
  id: number
  /** The same for each time that it was sent. */
  guid: string
  event: string
  action: string | null
  delivered_at: Date
  /** The code host's number. */
  repository: number | null
}

/** What the code host knows of its past, to find what did not get here. */
export interface Past {
  /** What it sent since then, newest first, as far as it remembers. */
  sent(since: Date): Promise<PastWebhook[]>
  sendAgain(webhook: Pick<PastWebhook, 'id'>): Promise<void>
  /** The repositories that an installation has access to, and when each was pushed to. */
  pushed(installation: number): Promise<PushedRepository[]>
  /** Shas by the names of branches. */
  heads(repository: RepositoryRef): Promise<Record<string, string>>
  /** The newest hundred, in one call. */
  tags(repository: RepositoryRef): Promise<NewestTags>
  /** Who moved a branch to a commit last; undefined where that is not told. */
  pusher(repository: RepositoryRef, to: { ref: string; sha: string }): Promise<Pusher | undefined>
}

export interface Pusher extends AccountFacts {
  type: 'User' | 'Bot'
}

export interface NewestTags {
  /** Newest first. */
  tags: readonly PastTag[]
  /** Whether there are older ones. */
  more: boolean
}

export interface PastTag {
  name: string
  /** Of what its ref names: a commit, or an annotated tag, which is an object of its own. */
  sha: string
  /** The commit that it leads to; null for a tag of something else. */
  commit: string | null
  /** By which it is ordered; null where there is no such time. */
  created_at: Date | null
}

export interface PushedRepository {
  facts: RepositoryFacts
  /** Null if it never was. */
  pushed_at: Date | null
}

/** The code hosts in use, by provider. Both can be active at once. */
export type Codehosts = Readonly<Partial<Record<Provider, Codehost>>>

/** Why a call of the code host failed. */
export type CodehostFailure =
  /** It cannot be reached, or fails itself. */
  | 'away'
  /** A rate limit was reached. */
  | 'limited'
  /** It does not allow this; it may do so once someone has changed rights or settings there. */
  | 'refused'
  /** It cannot do this, whoever asks: the call is wrong for what there is. */
  | 'invalid'
  /** What the call is about does not exist, or is not accessible. */
  | 'missing'

/** A call of the code host failed. `temporary` says whether retrying can help. */
export class CodehostError extends Error {
  readonly kind: CodehostFailure
  readonly temporary: boolean
  /** Whether it is only that the app is suspended there, which may last. */
  readonly suspended: boolean
  /** Whether it is the token that is not accepted, so that any other call with it fails as well. */
  readonly badToken: boolean
  /** Seconds to wait, if the code host asked for it. */
  readonly retryAfter: number | null

  constructor(message: string, failure: Failure) {
    const { kind, retryAfter = null, suspended = false, badToken = false, cause } = failure
    super(message, { cause })
    this.kind = kind
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
  cause?: unknown
}
