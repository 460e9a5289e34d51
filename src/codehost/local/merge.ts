import { mergeRef } from '../../domain/commit/commit.ts'
import { findCommit, type GitCommit } from './commits.ts'
import type { Git } from './git.ts'
import { refsBelow } from './refs/refs.ts'
import { refusal } from './refusal.ts'

const email = 'build-service@localhost'

type Side = Pick<GitCommit, 'sha' | 'committed_at'>

/**
 * Merges the head of a pull request into its base and keeps the result as `refs/pull/N/merge`.
 * The same two commits always make the same merge. Undefined if there are conflicts.
 */
export async function mergeCommit(
  git: Git,
  path: string,
  number: number,
  base: Side,
  head: Side,
): Promise<string | undefined> {
  const tree = await mergeTrees(git, path, base.sha, head.sha)
  if (tree === undefined) return undefined
  const message = `Merge ${head.sha} into ${base.sha}`
  const args = ['commit-tree', tree, '-p', base.sha, '-p', head.sha, '-m', message]
  const made = await git(path, args, { env: signature(base, head) })
  const sha = made.output.toString().trimEnd()
  await keep(git, path, mergeRef(number), sha)
  return sha
}

/** Removes the merge commit of a pull request, unless the ref has another commit now. */
export async function dropMerge(git: Git, path: string, number: number): Promise<void> {
  const ref = mergeRef(number)
  const commit = await findCommit(git, path, ref)
  if (commit?.committer_email !== email) return
  await git(path, ['update-ref', '--no-deref', '-d', ref, commit.sha])
}

async function mergeTrees(
  git: Git,
  path: string,
  base: string,
  head: string,
): Promise<string | undefined> {
  // Git refuses to merge commits without a common ancestor.
  const common = await git(path, ['merge-base', base, head], { accept: [0, 1] })
  if (common.code !== 0) return undefined
  const args = ['merge-tree', '--write-tree', '--no-messages', base, head]
  const { code, output } = await git(path, args, { accept: [0, 1, 129] })
  if (code === 129) {
    throw refusal('pull requests need git 2.38 or later: install it on this machine')
  }
  return code === 0 ? output.toString().split('\n', 1)[0] : undefined
}

function signature(base: Side, head: Side): Record<string, string> {
  const times = [base, head].map(({ committed_at }) => committed_at?.getTime() ?? 0)
  const date = `@${Math.floor(Math.max(0, ...times) / 1000)} +0000`
  return {
    GIT_AUTHOR_NAME: 'build-service',
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'build-service',
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  }
}

async function keep(git: Git, path: string, ref: string, sha: string): Promise<void> {
  const refs = await refsBelow(git, path, [ref])
  if (refs.get(ref) === sha) return
  await git(path, ['update-ref', '--no-deref', ref, sha])
}
