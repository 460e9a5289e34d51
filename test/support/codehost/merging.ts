import { tipsOf } from '../../../src/codehost/local/refs/refs.ts'
import { latestOf, statusesOf } from './routes/statuses.ts'
import type { Pull, Repository } from './tables.ts'
import type { World } from './world.ts'

/**
 * Where a pull request stands just now, as a call returns it. Its merge commit is made because
 * someone asks, and not at once: until then `mergeable` is null, and the merge commit is an old one.
 */
export async function lookAt(world: World, pull: Pull): Promise<void> {
  await followBase(world, pull)
  if (pull.state === 'closed') return
  const of = sidesOf(pull)
  if (pull.merge.of === of) return
  if (pull.awaited.of !== of) pull.awaited = { of, reads: world.readsUntilMerged }
  if (pull.awaited.reads > 0) {
    pull.awaited.reads -= 1
    return
  }
  const sha = await mergeSides(world, pull)
  pull.merge = { of, sha: sha ?? pull.merge.sha, mergeable: sha !== undefined }
}

async function followBase({ git }: World, pull: Pull): Promise<void> {
  const [tip] = await tipsOf(git, pull.repository.folder, [pull.base.ref])
  if (tip !== undefined && pull.state === 'open') pull.base.sha = tip
}

function sidesOf({ base, head }: Pull): string {
  return `${base.sha} ${head.sha}`
}

/** Whether it can be merged; null while that is being found out. */
export function mergeableOf(pull: Pull): boolean | null {
  if (pull.state === 'closed' || pull.merge.of !== sidesOf(pull)) return null
  return pull.merge.mergeable
}

export function mergeableState(world: World, pull: Pull): string {
  const mergeable = mergeableOf(pull)
  if (mergeable === null) return 'unknown'
  if (!mergeable) return 'dirty'
  if (pull.draft) return 'draft'
  const latest = latestOf(statusesOf(world, pull.repository, pull.head.sha))
  return latest.every(({ state }) => state === 'success') ? 'clean' : 'unstable'
}

/** Merges head into base and keeps the result as `refs/pull/N/merge`, if they go together. */
async function mergeSides({ git, now }: World, pull: Pull): Promise<string | undefined> {
  const { number, base, head } = pull
  const { folder } = pull.repository
  const args = ['merge-tree', '--write-tree', '--no-messages', base.sha, head.sha]
  // Of commits without a common past nothing is merged.
  const { code, output } = await git(folder, args, { accept: [0, 1, 128] })
  const tree = output.toString().split('\n', 1)[0] ?? ''
  if (code !== 0) return undefined
  const message = `Merge ${head.sha} into ${base.sha}`
  const commit = ['commit-tree', tree, '-p', base.sha, '-p', head.sha, '-m', message]
  const made = await git(folder, commit, { env: signature(pull, now()) })
  const sha = made.output.toString().trimEnd()
  await git(folder, ['update-ref', `refs/pull/${number}/merge`, sha])
  return sha
}

function signature({ user }: Pull, at: Date): Record<string, string> {
  const date = `@${Math.floor(at.getTime() / 1000)} +0000`
  return {
    GIT_AUTHOR_NAME: user.name ?? user.login,
    GIT_AUTHOR_EMAIL: user.email ?? `${user.login}@users.noreply.example.org`,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'GitHub',
    GIT_COMMITTER_EMAIL: 'noreply@github.com',
    GIT_COMMITTER_DATE: date,
  }
}

/** Puts the head of a pull request where its base repository has it, from a fork if need be. */
export async function keepHead({ git }: World, pull: Pull, from: Repository): Promise<void> {
  const { repository, number, head } = pull
  const ref = `refs/pull/${number}/head`
  await git(repository.folder, ['fetch', '--quiet', from.folder, `+${head.sha}:${ref}`], {
    env: { GIT_ALLOW_PROTOCOL: 'file' },
  })
}

/** Takes the merge commit's ref away, as when there is nothing left to merge. */
export async function dropMerge({ git }: World, { repository, number }: Pull): Promise<void> {
  await git(repository.folder, ['update-ref', '-d', `refs/pull/${number}/merge`])
}
