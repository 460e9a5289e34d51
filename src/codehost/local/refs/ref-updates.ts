import { readRef } from '../../../domain/event.ts'
import type { Git } from '../git.ts'
import type { Change } from './reported-refs.ts'

/** How many updates of a ref are reported one by one; of more, the newest. */
const mostUpdates = 20

/**
 * The single updates that a change of a branch consists of, oldest first: where people work, git logs
 * each commit, merge and reset. Without such a log the change is one update, as a push is.
 */
export async function updatesOf(git: Git, path: string, change: Change): Promise<Change[]> {
  const { ref, before, after, changes } = change
  if (before === null || after === null || readRef(ref).kind !== 'branch') return [change]
  const shas = await updatesSince(git, path, ref, before)
  if (shas.at(-1) !== after) return [change]
  return shas.map((sha, index) => ({
    ref,
    before: shas[index - 1] ?? before,
    after: sha,
    changes: changes + index,
  }))
}

/** What the branch was set to after this commit, as far as its log says. */
async function updatesSince(git: Git, path: string, ref: string, before: string) {
  const args = ['log', '--walk-reflogs', '--format=%H', `--max-count=${mostUpdates}`, ref, '--']
  const { code, output } = await git(path, args, { accept: [0, 128] })
  if (code !== 0) return []
  const newestFirst = output.toString().split('\n').filter(Boolean)
  const known = newestFirst.indexOf(before)
  return (known < 0 ? newestFirst : newestFirst.slice(0, known)).toReversed()
}
