import type { Provider } from './owner.ts'

/** A repository as an event of the code host tells of it. */
export interface RepositoryFacts {
  provider: Provider
  codehost_id: number
  name: string
  private: boolean
  fork: boolean
  default_branch: string
  description: string | null
  language: string | null
  owner: { codehost_id: number; login: string; type: 'User' | 'Organization' }
}

export interface SenderFacts {
  /** Null for bots, which are nobody's account (WH-06). */
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
  repository: RepositoryFacts
  sender: SenderFacts
}

export interface PushEvent extends Facts {
  type: 'push'
  ref: string
  before: string
  after: string
  deleted: boolean
  compare_url: string | null
  /** The commit at the tip; null when the branch was deleted. */
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
  /** Whether an `edited` event moved the pull request to another base branch (WH-37). */
  retargeted: boolean
  mergeable_state: string | null
  head: { sha: string; ref: string; repository_codehost_id: number | null; slug: string | null }
  base: { sha: string; ref: string }
}

/** A branch or tag that came to be or went, without being a reason to build. */
export interface RefEvent extends Facts {
  type: 'ref'
  ref_type: 'branch' | 'tag'
  name: string
  exists: boolean
}

export type CodehostEvent = PushEvent | PullRequestEvent | RefEvent

export type RefName =
  { kind: 'branch'; name: string } | { kind: 'tag'; name: string } | { kind: 'other'; name: string }

/** `refs/heads/feature/a` is branch `feature/a`, `refs/tags/v1` is tag `v1` (WH-22, WH-23). */
export function readRef(ref: string): RefName {
  const [, kind, name = ''] = /^refs\/([^/]+)\/(.+)$/s.exec(ref) ?? []
  if (kind === 'heads') return { kind: 'branch', name }
  if (kind === 'tags') return { kind: 'tag', name }
  return { kind: 'other', name: ref }
}
