import { git } from '../../../codehost/local/git-folder.ts'
import { announceMergeGroup } from '../events/merge-group.ts'
import { lookAt } from '../merging.ts'
import type { Pull } from '../tables.ts'
import type { World } from '../world.ts'
import { doerOf } from './accounts.ts'
import { pushing } from './repositories.ts'

/** Puts a pull request into the merge queue of its base. Returns the commit to be checked. */
export async function queuePull(world: World, pull: Pull, by?: string): Promise<string> {
  await lookAt({ ...world, readsUntilMerged: 0 }, pull)
  const { sha, mergeable } = pull.merge
  if (sha === null || !mergeable) throw new Error(`pull request ${pull.number} has conflicts`)
  const ref = queueRef(pull)
  await pushing(world, pull.repository, by, (folder) => git(folder, 'update-ref', ref, sha))
  const sender = doerOf(world, pull.repository, by)
  await announceMergeGroup(world, pull, { action: 'checks_requested', ref, sha }, sender)
  return sha
}

/** Takes a pull request out of the merge queue again. */
export async function dequeuePull(world: World, pull: Pull, by?: string): Promise<void> {
  const ref = queueRef(pull)
  const sender = doerOf(world, pull.repository, by)
  const group = { action: 'destroyed', ref, sha: pull.merge.sha ?? '' } as const
  await announceMergeGroup(world, pull, group, sender)
  await pushing(world, pull.repository, by, (folder) => git(folder, 'update-ref', '-d', ref))
}

function queueRef({ number, base }: Pull): string {
  return `refs/heads/gh-readonly-queue/${base.ref}/pr-${number}-${base.sha}`
}
