import { branchRef, longestMessage } from '../../domain/commit/commit.ts'
import type { CommitFacts } from '../../domain/event.ts'
import { withoutEnd } from '../../domain/time/without-end.ts'
import { isRefName, isSha } from '../ref-names.ts'
import type { Git } from './git.ts'
import { commitAt, refsBelow } from './refs/refs.ts'

export interface GitCommit extends CommitFacts {
  tree: string
  parents: string[]
}

const fields = ['%H', '%T', '%P', '%ct', '%an', '%ae', '%cn', '%ce', '%B'] as const
const format = fields.map((field) => `${field}%x00`).join('')

/** The commits that `rev-list` lists with these arguments and `input` as its standard input. */
export async function commitsOf(
  git: Git,
  path: string,
  args: readonly string[],
  input = '',
): Promise<GitCommit[]> {
  const walk = ['rev-list', '--no-commit-header', '--encoding=UTF-8', `--format=${format}`, ...args]
  const { output } = await git(path, walk, { input })
  const values = output.toString().split('\0').slice(0, -1)
  const commits: GitCommit[] = []
  for (let at = 0; at < values.length; at += fields.length) {
    commits.push(readCommit(values.slice(at, at + fields.length)))
  }
  return commits
}

function readCommit(values: readonly string[]): GitCommit {
  const [sha = '', tree = '', parents = '', seconds = '', ...people] = values
  const [author_name = '', author_email = '', committer_name = '', committer_email = ''] = people
  return {
    // A line feed precedes the sha: it ends the previous record.
    sha: sha.trimStart(),
    tree,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    message: withoutEnd((values.at(-1) ?? '').slice(0, longestMessage), '\n'),
    committed_at: readTime(seconds),
    author_name,
    author_email,
    committer_name,
    committer_email,
  }
}

/** Null for an invalid time; anyone can create a commit with one. */
function readTime(seconds: string): Date | null {
  const time = new Date(/^-?\d+$/.test(seconds) ? Number(seconds) * 1000 : Number.NaN)
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999 ? null : time
}

export async function readCommitAt(
  git: Git,
  path: string,
  sha: string,
): Promise<GitCommit | undefined> {
  const id = await commitAt(git, path, sha)
  if (id === undefined) return undefined
  const [commit] = await commitsOf(git, path, ['--max-count=1', '--end-of-options', id])
  return commit
}

/** The commit to which a sha, a branch, a tag or a full ref points. */
export async function findCommit(
  git: Git,
  path: string,
  ref: string,
): Promise<GitCommit | undefined> {
  const sha = isSha(ref) ? ref : await shaOfRef(git, path, ref)
  return sha === undefined ? undefined : readCommitAt(git, path, sha)
}

/** Whether `sha` equals `other` or is its ancestor. */
export async function isBehind(
  git: Git,
  path: string,
  sha: string,
  other: string,
): Promise<boolean> {
  if (!isSha(sha) || !isSha(other)) return false
  const { code } = await git(path, ['merge-base', '--is-ancestor', sha, other], { accept: [0, 1] })
  return code === 0
}

async function shaOfRef(git: Git, path: string, ref: string): Promise<string | undefined> {
  if (!isRefName(ref)) return undefined
  const names = ref.startsWith('refs/') ? [ref] : [branchRef(ref), `refs/tags/${ref}`]
  const refs = await refsBelow(git, path, names)
  const name = names.find((name) => refs.has(name))
  return name === undefined ? undefined : refs.get(name)
}
