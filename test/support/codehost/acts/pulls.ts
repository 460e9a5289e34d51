import { tipsOf } from '../../../../src/codehost/local/refs/refs.ts'
import { git } from '../../../codehost/local/git-folder.ts'
import { announcePull, close } from '../events/pull-request.ts'
import { keepHead, lookAt } from '../merging.ts'
import type { Pull, Repository } from '../tables.ts'
import type { World } from '../world.ts'
import { doerOf } from './accounts.ts'
import { pushing } from './repositories.ts'

export interface NewPull {
  /** Branch of the head. */
  head: string
  base?: string
  /** The repository of the head, when that is another one. */
  from?: Repository
  title?: string
  body?: string | null
  draft?: boolean
  by?: string
}

export async function openPull(
  world: World,
  repository: Repository,
  given: NewPull,
): Promise<Pull> {
  const { tables, now } = world
  const { head, base = repository.default_branch, from = repository } = given
  const user = doerOf(world, from, given.by)
  const pull: Pull = {
    id: tables.nextId(),
    number: nextNumber(world, repository),
    repository,
    user,
    title: given.title ?? 'Change it',
    body: given.body ?? null,
    draft: given.draft ?? false,
    head: { repository: from, owner: from.owner, ref: head, sha: await tipOf(world, from, head) },
    base: { ref: base, sha: await tipOf(world, repository, base) },
    merge: { of: '', sha: null, mergeable: false },
    awaited: { of: '', reads: 0 },
    state: 'open',
    closed_at: null,
    merged: null,
    created_at: now(),
    updated_at: now(),
  }
  tables.pulls.push(pull)
  await keepHead(world, pull, from)
  await announcePull(world, pull, 'opened', user)
  return pull
}

function nextNumber({ tables }: World, repository: Repository): number {
  return 1 + tables.pulls.filter((each) => each.repository === repository).length
}

async function tipOf({ git }: World, { folder }: Repository, branch: string): Promise<string> {
  const [tip] = await tipsOf(git, folder, [branch])
  if (tip === undefined) throw new Error(`there is no branch ${branch} to make a pull request of`)
  return tip
}

export async function closePull(world: World, pull: Pull, by?: string): Promise<void> {
  await close(world, pull, doerOf(world, pull.repository, by))
}

export async function reopenPull(world: World, pull: Pull, by?: string): Promise<void> {
  Object.assign(pull, { state: 'open', closed_at: null, updated_at: world.now() })
  pull.merge.of = ''
  await announcePull(world, pull, 'reopened', doerOf(world, pull.repository, by))
}

/** Merges a pull request: the base branch is pushed, and the pull request is closed. */
export async function mergePull(world: World, pull: Pull, by?: string): Promise<string> {
  const { repository, base } = pull
  pull.awaited.reads = 0
  await lookAt({ ...world, readsUntilMerged: 0 }, pull)
  const { sha, mergeable } = pull.merge
  if (sha === null || !mergeable) throw new Error(`pull request ${pull.number} has conflicts`)
  const sender = doerOf(world, repository, by)
  pull.merged = { at: world.now(), by: sender, sha }
  await pushing(world, repository, by, (folder) =>
    git(folder, 'update-ref', `refs/heads/${base.ref}`, sha),
  )
  await close(world, pull, sender)
  return sha
}

/** Changes what people wrote, or the branch that it is to be merged into. */
export async function editPull(
  world: World,
  pull: Pull,
  { title = pull.title, base = pull.base.ref }: { title?: string; base?: string },
  by?: string,
): Promise<void> {
  const from = { title: pull.title, base: { ...pull.base } }
  Object.assign(pull, { title, updated_at: world.now() })
  pull.base = { ref: base, sha: await tipOf(world, pull.repository, base) }
  const changes = {
    ...(title === from.title ? {} : { title: { from: from.title } }),
    ...(base === from.base.ref
      ? {}
      : { base: { ref: { from: from.base.ref }, sha: { from: from.base.sha } } }),
  }
  await announcePull(world, pull, 'edited', doerOf(world, pull.repository, by), { changes })
}

/** Says that a draft is one no more, or again. */
export async function markDraft(
  world: World,
  pull: Pull,
  draft: boolean,
  by?: string,
): Promise<void> {
  Object.assign(pull, { draft, updated_at: world.now() })
  const action = draft ? 'converted_to_draft' : 'ready_for_review'
  await announcePull(world, pull, action, doerOf(world, pull.repository, by))
}
