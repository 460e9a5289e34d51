import { queuedPullNumber } from '../request/merge-queue.ts'

/** Maximum length of a message. Longer messages are cut: no one reads them, and many places search them. */
export const longestMessage = 65_536

export interface Commit {
  id: number
  repository_id: number
  sha: string
  /** `refs/heads/main`, `refs/tags/v1`, `refs/pull/7/merge`. */
  ref: string
  /** For a pull request the base branch, for a tag the tag's name (WH-23, WH-30). */
  branch: string
  tag_name: string | null
  message: string
  compare_url: string | null
  committed_at: Date | null
  author_name: string | null
  author_email: string | null
  committer_name: string | null
  committer_email: string | null
  created_at: Date
}

/**
 * The branch whose variables a build of this commit gets; null for a tag, because a user who can push a
 * tag may be unable to push to the branch of that name.
 */
export function ownBranch({
  branch,
  tag_name,
}: Pick<Commit, 'branch' | 'tag_name'>): string | null {
  return tag_name === null ? branch : null
}

export function branchRef(name: string): string {
  return `refs/heads/${name}`
}

/** The ref that code hosts keep the merge commit of a pull request under. */
export function mergeRef(number: number): string {
  return `refs/pull/${number}/merge`
}

/** The number in `refs/pull/7/merge` or in a ref of a merge queue, or null. */
export function pullRequestNumber({ ref }: Pick<Commit, 'ref'>): number | null {
  const number = /^refs\/pull\/(\d+)\//.exec(ref)?.[1]
  return number === undefined ? queuedPullNumber(ref) : Number(number)
}

/** `<a>...<b>` of a compare link, when it has one (WH-27). */
export function commitRange({ compare_url }: Pick<Commit, 'compare_url'>): string | null {
  const last = compare_url?.split('/').at(-1) ?? ''
  return /^[0-9a-f]+\^?\.\.\.[0-9a-f]+\^?$/.test(last) ? last : null
}

export interface Branch {
  id: number
  repository_id: number
  name: string
  exists_on_codehost: boolean
  /** The newest push, api or cron build, in any state (ST-29). */
  last_build_id: number | null
  created_at: Date
  updated_at: Date
}

export interface Tag {
  id: number
  repository_id: number
  name: string
  exists_on_codehost: boolean
  last_build_id: number | null
  created_at: Date
}

export interface PullRequest {
  id: number
  repository_id: number
  number: number
  title: string
  state: 'open' | 'closed'
  draft: boolean
  html_url: string | null
  author_login: string | null
  /** Null if the code host did not name one. */
  author_codehost_id: number | null
  /** Whether a maintainer has approved a commit of it. */
  vouched: boolean
  head_repository_codehost_id: number | null
  head_slug: string | null
  head_ref: string
  head_sha: string
  base_ref: string
  /** Time of the last change, by the code host's clock; null if the code host does not report it. */
  changed_at: Date | null
  created_at: Date
  updated_at: Date
}

/**
 * Whether a pull request comes from a fork: its head repository is not its base repository, or is
 * missing because the fork was deleted. Only the ids decide (WH-39). The name of the head branch
 * proves nothing.
 */
export function isFromFork(
  { head_repository_codehost_id }: Pick<PullRequest, 'head_repository_codehost_id'>,
  { codehost_id }: { codehost_id: number },
): boolean {
  return head_repository_codehost_id !== codehost_id
}
