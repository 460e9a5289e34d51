import { readRef } from '../../../domain/event.ts'
import { commitsOf, type GitCommit, readCommitAt } from '../commits.ts'
import type { Git } from '../git.ts'
import { noSha } from '../names.ts'
import { contains } from '../refs/refs.ts'
import type { RefChange, ReportedRef } from '../refs/reported-refs.ts'
import type { EventPayload } from './payload.ts'

export interface PushPayload extends EventPayload {
  ref: string
  before: string
  after: string
  created: boolean
  deleted: boolean
  forced: boolean
  base_ref: null
  /** `<before>...<after>` without an address, because no page can show it; else empty. */
  compare: string
  /** The newest of the new commits, oldest first. Empty for tags. */
  commits: CommitPayload[]
  head_commit: CommitPayload | null
  pusher: { name: string; email: null }
}

export interface CommitPayload {
  id: string
  tree_id: string
  message: string
  timestamp: string
  author: { name: string; email: string }
  committer: { name: string; email: string }
}

const mostCommits = 20

/** The event of a push with this change. `reported` has the earlier state of all refs. */
export async function pushPayload(
  git: Git,
  path: string,
  event: EventPayload,
  change: RefChange,
  reported: ReadonlyMap<string, ReportedRef>,
): Promise<PushPayload> {
  const { ref, before, after } = change
  // An annotated tag is a separate object; the commit is the target of the tag (WH-23).
  const head = after === null ? undefined : await readCommitAt(git, path, after)
  return {
    ref,
    before: before ?? noSha(after),
    after: after ?? noSha(before),
    created: before === null,
    deleted: after === null,
    forced: before !== null && after !== null && !(await contains(git, path, after, before)),
    base_ref: null,
    compare: before !== null && after !== null ? `${before}...${after}` : '',
    commits: (await newCommits(git, path, change, reported)).map(commitPayload),
    head_commit: head ? commitPayload(head) : null,
    pusher: { name: event.sender.login, email: null },
    ...event,
  }
}

async function newCommits(
  git: Git,
  path: string,
  { ref, before, after }: RefChange,
  reported: ReadonlyMap<string, ReportedRef>,
): Promise<GitCommit[]> {
  if (after === null || readRef(ref).kind !== 'branch') return []
  const known = before === null ? branchTips(reported) : [before]
  const input = [after, ...known.map((sha) => `^${sha}`), ''].join('\n')
  // Git may have removed commits that a forced push left behind.
  const args = [`--max-count=${mostCommits}`, '--reverse', '--ignore-missing', '--stdin']
  return commitsOf(git, path, args, input)
}

function branchTips(reported: ReadonlyMap<string, ReportedRef>): string[] {
  return [...reported].flatMap(([ref, { sha }]) =>
    sha !== null && readRef(ref).kind === 'branch' ? [sha] : [],
  )
}

function commitPayload(commit: GitCommit): CommitPayload {
  return {
    id: commit.sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: commit.committed_at?.toISOString() ?? '',
    author: { name: commit.author_name ?? '', email: commit.author_email ?? '' },
    committer: { name: commit.committer_name ?? '', email: commit.committer_email ?? '' },
  }
}
