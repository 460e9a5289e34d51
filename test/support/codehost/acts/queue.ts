import { git } from '../../../codehost/local/git-folder.ts'
import { announceMergeGroup } from '../events/merge-group.ts'
import { lookAt } from '../merging.ts'
import type { Pull } from '../tables.ts'
import type { World } from '../world.ts'
import { doerOf } from './accounts.ts'
import { pushing } from './repositories.ts'

/** Where pull requests stand in a merge queue, which stays as it was made when they change. */
const places = new WeakMap<Pull, { ref: string; sha: string }>()

/** Puts a pull request into the merge queue of its base. Returns the commit to be checked. */
export async function queuePull(world: World, pull: Pull, by?: string): Promise<string> {
  await lookAt({ ...world, readsUntilMerged: 0 }, pull)
  const { sha, mergeable } = pull.merge
  if (sha === null || !mergeable) throw new Error(`pull request ${pull.number} has conflicts`)
  const { number, base } = pull
  const ref = `refs/heads/gh-readonly-queue/${base.ref}/pr-${number}-${base.sha}`
  places.set(pull, { ref, sha })
  await pushing(world, pull.repository, by, (folder) => git(folder, 'update-ref', ref, sha))
  const sender = doerOf(world, pull.repository, by)
  await announceMergeGroup(world, pull, { action: 'checks_requested', ref, sha }, sender)
  return sha
}

/** Takes a pull request out of the merge queue again. Returns the commit; undefined if it was not in it. */
export async function dequeuePull(
  world: World,
  pull: Pull,
  by?: string,
): Promise<string | undefined> {
  const place = places.get(pull)
  if (!place) return undefined
  places.delete(pull)
  const sender = doerOf(world, pull.repository, by)
  await announceMergeGroup(world, pull, { action: 'destroyed', ...place }, sender)
  await pushing(world, pull.repository, by, (folder) => git(folder, 'update-ref', '-d', place.ref))
  return place.sha
}
