import { readCommitAt } from '../../../../src/codehost/local/commits.ts'
import { contains } from '../../../../src/codehost/local/refs/refs.ts'
import { announce, listenerOf } from '../deliveries.ts'
import { branchesAndTags, history } from '../git.ts'
import { timestamp } from '../shapes/answer.ts'
import { type Account, type Repository, slugOf } from '../tables.ts'
import type { World } from '../world.ts'
import { pushedCommit } from './commit.ts'
import { about, shortRef, zeros } from './payload.ts'
import { followHead } from './pull-request.ts'

type Refs = ReadonlyMap<string, string>

interface Change {
  ref: string
  before: string
  after: string
}

/** Of more tags in one push no one is notified. */
const mostTags = 3
const mostCommits = 2048

/** Reports every branch and tag that is elsewhere than it was before. */
export async function announcePushes(
  world: World,
  repository: Repository,
  before: Refs,
  sender: Account,
): Promise<void> {
  const after = await branchesAndTags(world, repository)
  const changes = changesBetween(before, after)
  const tags = changes.filter(({ ref }) => isTag(ref))
  const told = tags.length > mostTags ? changes.filter(({ ref }) => !isTag(ref)) : changes
  if (changes.length > 0) repository.pushed_at = world.now()

  for (const change of changes) await keepActivity(world, repository, change, sender)

  for (const change of told) {
    await announceRef(world, repository, change, sender)
    if (listenerOf(world, { event: 'push', repository })) {
      const payload = await pushPayload(world, repository, change, before, sender)
      await announce(world, { event: 'push', payload, repository })
    }
    if (!isTag(change.ref)) await followHead(world, repository, change, sender)
  }
}

async function keepActivity(
  { tables, git, now }: World,
  repository: Repository,
  { ref, before, after }: Change,
  actor: Account,
): Promise<void> {
  if (isTag(ref)) return
  const isForced = async () => !(await contains(git, repository.folder, after, before))
  tables.activities.push({
    ...{ id: tables.nextId(), repository, ref, before, after, at: now(), actor },
    activity_type: changeKind(before, after) ?? ((await isForced()) ? 'force_push' : 'push'),
  })
}

function changeKind(before: string, after: string) {
  if (before === zeros) return 'branch_creation'
  return after === zeros ? 'branch_deletion' : undefined
}

function changesBetween(before: Refs, after: Refs): Change[] {
  const refs = [...new Set([...after.keys(), ...before.keys()])]
  return refs
    .map((ref) => ({ ref, before: before.get(ref) ?? zeros, after: after.get(ref) ?? zeros }))
    .filter((change) => change.before !== change.after)
}

const isTag = (ref: string) => ref.startsWith('refs/tags/')

/** A new or deleted ref is also reported as such. */
async function announceRef(
  world: World,
  repository: Repository,
  { ref, before, after }: Change,
  sender: Account,
): Promise<void> {
  if (before !== zeros && after !== zeros) return
  const event = after === zeros ? 'delete' : 'create'
  const payload = {
    ref: shortRef(ref),
    ref_type: isTag(ref) ? 'tag' : 'branch',
    ...(event === 'create'
      ? { master_branch: repository.default_branch, description: repository.description }
      : {}),
    pusher_type: 'user',
    ...about(world, repository, sender),
  }
  await announce(world, { event, payload, repository })
}

/** The payload for a push of a ref from one object to another. */
async function pushPayload(
  world: World,
  repository: Repository,
  change: Change,
  before: Refs,
  sender: Account,
) {
  const { git } = world
  const { ref } = change
  const created = change.before === zeros
  const deleted = change.after === zeros
  // An annotated tag is an object of its own; the head commit is the one that it names (WH-23).
  const head = deleted ? undefined : await readCommitAt(git, repository.folder, change.after)
  const commits = await newCommits(world, repository, change, before)
  const { repository: shape, ...rest } = about(world, repository, sender)
  return {
    ref,
    before: change.before,
    after: change.after,
    created,
    deleted,
    forced:
      !created &&
      !deleted &&
      !(await contains(git, repository.folder, change.after, change.before)),
    base_ref: created ? baseOf(change, before) : null,
    compare: compareUrl(
      world,
      repository,
      change,
      commits.map(({ sha }) => sha),
    ),
    commits: await Promise.all(commits.map((each) => pushedCommit(world, repository, each))),
    head_commit: head ? await pushedCommit(world, repository, head) : null,
    repository: {
      ...shape,
      // Pushes have their own way of telling these.
      url: shape.html_url,
      owner: { ...shape.owner, name: repository.owner.login, email: repository.owner.email },
      created_at: Math.floor(repository.created_at.getTime() / 1000),
      pushed_at: Math.floor(repository.pushed_at.getTime() / 1000),
      updated_at: timestamp(repository.updated_at),
      stargazers: 0,
      master_branch: repository.default_branch,
      ...(repository.owner.type === 'Organization' ? { organization: repository.owner.login } : {}),
    },
    pusher: { name: sender.login, email: sender.email },
    ...rest,
  }
}

/** Oldest first. A new branch brings what no other branch had; tags bring nothing. */
function newCommits(world: World, repository: Repository, change: Change, before: Refs) {
  if (isTag(change.ref) || change.after === zeros) return []
  const known = change.before === zeros ? branchTips(before) : [change.before]
  const options = [`--max-count=${mostCommits}`, '--reverse']
  return history(world, repository, change.after, known, ...options)
}

function branchTips(refs: Refs): string[] {
  return [...refs].flatMap(([ref, sha]) => (isTag(ref) ? [] : [sha]))
}

/** The branch that a new ref was put upon. */
function baseOf({ after }: Change, before: Refs): string | null {
  return [...before].find(([ref, sha]) => !isTag(ref) && sha === after)?.[0] ?? null
}

function compareUrl(
  world: World,
  repository: Repository,
  { ref, before, after }: Change,
  commits: readonly string[],
): string {
  const page = `${world.url}/${slugOf(repository)}`
  const short = (sha: string) => sha.slice(0, 12)
  if (before !== zeros) return `${page}/compare/${short(before)}...${short(after)}`
  const [first] = commits
  if (first === undefined) return `${page}/compare/${shortRef(ref)}`
  if (commits.length === 1) return `${page}/commit/${first}`
  return `${page}/compare/${short(first)}^...${short(after)}`
}
