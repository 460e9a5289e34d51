import {
  type CheckRun,
  type Codehost,
  CodehostError,
  type FoundCommit,
  type PullState,
  type UserFacts,
} from '../../src/codehost/codehost.ts'
import type { CommitStatus } from '../../src/domain/commit/status.ts'
import type { Role } from '../../src/domain/repository.ts'
import { noon } from './context.ts'

export interface MemoryCodehost extends Codehost {
  /** Build files by commit, others by `owner/name:path@sha`. */
  files: Map<string, string>
  commits: Map<string, FoundCommit>
  /** By whole refs; undefined for a code host that does not tell. */
  tips: Map<string, string> | undefined
  pulls: Map<number, PullState>
  posted: { sha: string; status: CommitStatus }[]
  runs: CheckRun[]
  /** What users may do with every repository, by login. */
  roles: Map<string, Role>
  /** By login. */
  users: Map<string, UserFacts>
  /** While set, every call fails with it. */
  failure: CodehostError | undefined
  /** Every call so far, by name. */
  calls: string[]
}

/** A code host that holds what a test puts into it. */
export function memoryCodehost(provider: 'codehost' | 'local' = 'codehost'): MemoryCodehost {
  const host: MemoryCodehost = {
    provider,
    files: new Map(),
    commits: new Map(),
    tips: undefined,
    pulls: new Map(),
    posted: [],
    runs: [],
    roles: new Map(),
    users: new Map(),
    failure: undefined,
    calls: [],
    file: async (repository, path, sha) => {
      called('file')
      const key = path === '.service.yml' ? sha : `${repository.slug}:${path}@${sha}`
      const text = host.files.get(key)
      return text === undefined ? undefined : Buffer.from(text)
    },
    tree: async () => {
      called('tree')
      return []
    },
    commit: async (_repository, sha) => {
      called('commit')
      return host.commits.get(sha)
    },
    tip: async (_repository, ref) => {
      called('tip')
      if (!host.tips) throw new CodehostError('no refs are shown', { kind: 'refused' })
      return host.tips.get(ref)
    },
    isBehind: async (_repository, sha, other) => {
      called('isBehind')
      return isBehind(host, sha, other)
    },
    pull: async (_repository, number) => {
      called('pull')
      return host.pulls.get(number)
    },
    postStatus: async (_repository, sha, status) => {
      called('postStatus')
      host.posted.push({ sha, status })
    },
    statuses: async (_repository, sha) => {
      called('statuses')
      return host.posted
        .filter((each) => each.sha === sha)
        .map(({ status }) => status)
        .toReversed()
    },
    putCheckRun: async (_repository, run) => {
      called('putCheckRun')
      host.runs.push(run)
    },
    checkRuns: async () => host.runs,
    user: async (login) => host.users.get(login),
    role: async (_repository, { login }) => host.roles.get(login),
    repository: async () => undefined,
    cloneSource: async () => ({
      kind: 'url',
      url: 'https://host.example/o/n.git',
      token: 'sesame',
    }),
  }
  function called(name: string): void {
    host.calls.push(name)
    if (host.failure) throw host.failure
  }
  return host
}

function isBehind(host: MemoryCodehost, sha: string, other: string): boolean {
  const parents = host.commits.get(other)?.parents ?? []
  return sha === other || parents.some((parent) => isBehind(host, sha, parent))
}

const base = 'b'.repeat(40)

/** A commit of the code host. */
export function commitOf(sha: string, message: string, parents: string[] = []): FoundCommit {
  return {
    sha,
    parents,
    message,
    committed_at: noon,
    author_name: 'Octavia',
    author_email: 'octavia@example.org',
    committer_name: 'Octavia',
    committer_email: 'octavia@example.org',
  }
}

/** Puts a pull request of the branch `greet` into `main` there, with the merge commit of its head. */
export function putPull(
  host: MemoryCodehost,
  {
    head,
    merge,
    ...given
  }: { head: string; merge: string | null } & Partial<Omit<PullState, 'head'>>,
  number = 7,
): PullState {
  const pull: PullState = {
    state: 'open',
    title: 'Greet',
    draft: false,
    html_url: null,
    mergeable: merge === null ? null : true,
    mergeable_state: merge === null ? 'unknown' : 'clean',
    merge_commit_sha: merge,
    changed_at: null,
    head: { sha: head, ref: 'greet', repository_codehost_id: null, slug: null },
    base: { sha: base, ref: 'main' },
    ...given,
  }
  host.pulls.set(number, pull)
  host.commits.set(head, commitOf(head, 'Greet'))
  if (merge !== null) {
    host.commits.set(merge, commitOf(merge, `Merge ${head} into ${base}`, [base, head]))
    host.files.set(merge, 'script: make')
  }
  return pull
}
