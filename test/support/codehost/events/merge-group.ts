import { readCommitAt } from '../../../../src/codehost/local/commits.ts'
import { announce } from '../deliveries.ts'
import type { Account, Pull } from '../tables.ts'
import type { World } from '../world.ts'
import { pushedCommit } from './commit.ts'
import { about } from './payload.ts'

/** Reports that a commit of a merge queue wants to be checked, or no longer. */
export async function announceMergeGroup(
  world: World,
  { repository, base }: Pull,
  { action, ref, sha }: { action: 'checks_requested' | 'destroyed'; ref: string; sha: string },
  sender: Account,
): Promise<void> {
  const found = await readCommitAt(world.git, repository.folder, sha)
  if (!found) throw new Error(`there is no commit ${sha} to check`)
  const { id, tree_id, message, timestamp, author, committer } = await pushedCommit(
    world,
    repository,
    found,
  )
  const payload = {
    action,
    ...(action === 'destroyed' ? { reason: 'dequeued' } : {}),
    merge_group: {
      head_sha: sha,
      head_ref: ref,
      base_sha: base.sha,
      base_ref: `refs/heads/${base.ref}`,
      head_commit: { id, tree_id, message, timestamp, author, committer },
    },
    ...about(world, repository, sender),
  }
  await announce(world, { event: 'merge_group', payload, repository })
}
