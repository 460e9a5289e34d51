// The true state of the code host in a story, by which the statuses of the service are judged.
import type { PullState } from '../../../src/codehost/codehost.ts'
import type { PullRequestEvent } from '../../../src/domain/event.ts'
import { readRef } from '../../../src/domain/event.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import type { EventInRepository } from '../../../src/flow/events/ask-codehost.ts'
import { noon } from '../../support/context.ts'
import { mergeGroupOf, pullOf, pushTo } from '../../support/events.ts'
import { commitOf, type MemoryCodehost, putPull } from '../../support/memory-codehost.ts'
import type { Setting } from './service.ts'

const zeros = '0'.repeat(40)

/** The content of a commit: its build file, and its message. */
const flavors = {
  plain: { file: 'script: make', message: 'Greet' },
  skipped: { file: 'script: make', message: 'Greet [skip ci]' },
  bare: { file: null, message: 'Greet' },
  filtered: { file: 'script: make\nbranches:\n  only: [other]', message: 'Greet' },
  conditional: { file: 'script: make\nif: type = cron', message: 'Greet' },
  faulty: { file: 'script: make\nif: (type = push', message: 'Greet' },
  unusable: { file: 'script: [make', message: 'Greet' },
  jobless: { file: 'jobs:\n  include:\n    - script: make\n      if: type = cron', message: 'Hi' },
} as const
export type Flavor = keyof typeof flavors

const rare = Object.keys(flavors) as Flavor[]
const bases = ['refs/heads/main', 'refs/heads/easy'] as const
const main = bases[0]

export interface StoryPull {
  number: number
  isFork: boolean
  /** The branch of the pull request itself, unless it comes from a fork. */
  ref: string
  state: PullState
}

interface Group {
  number: number
  ref: string
  sha: string
  base: string
}

let shas = 0
export const newSha = () => (shas += 1).toString(16).padStart(40, '0')

/** Two bases and three pull requests, which are opened, but whose events have not arrived yet. */
export function storyWorld(
  host: MemoryCodehost,
  repository: Repository,
  { pick, isFileDeleted }: Setting,
) {
  const tips = new Map<string, string>()
  host.tips = tips
  const flavorOf = new Map<string, Flavor>()
  /** The commits of each ref since it was created, moved or pushed by force. */
  const held = new Map<string, Set<string>>()
  const heads = new Set<string>()
  const pulls: StoryPull[] = []
  const queued: Group[] = []
  const left: Group[] = []
  const underway: EventInRepository[] = []
  let before: { number: number; state: PullState } | undefined
  let seconds = 0

  const pickOf = <T>(values: readonly T[]): T | undefined => values[pick() % (values.length || 1)]

  function newCommit(parents: string[], flavor?: Flavor): string {
    const sha = newSha()
    const found = flavor ?? (pick() % 3 ? 'plain' : (pickOf(rare) ?? 'plain'))
    const { file, message } = flavors[found]
    flavorOf.set(sha, found)
    host.commits.set(sha, commitOf(sha, message, parents))
    if (file !== null) host.files.set(sha, file)
    return sha
  }

  function isBehind(sha: string, other: string): boolean {
    const parents = host.commits.get(other)?.parents ?? []
    return sha === other || parents.some((parent) => isBehind(sha, parent))
  }

  /** Moves a branch or tag, and announces the push and the creation. */
  function moveRef(ref: string, sha: string): void {
    const from = tips.get(ref)
    if (from === sha) return
    const isTag = readRef(ref).kind === 'tag'
    const forced = from !== undefined && (isTag || !isBehind(from, sha))
    if (from === undefined || forced) held.set(ref, new Set())
    held.get(ref)?.add(sha)
    tips.set(ref, sha)
    const commit = host.commits.get(sha)
    const { head_commit: described, ...push } = pushTo(repository, { ref, after: sha, forced })
    // Now and then the payload does not describe the commit.
    const isDescribed = described && commit && pick() % 8 > 0
    const head_commit = isDescribed ? { ...described, message: commit.message } : null
    underway.push({ ...push, before: from ?? zeros, head_commit })
    if (from === undefined) announceRef(ref, true)
    for (const { state } of pulls) if (refOfBase(state) === ref) moveBase(state, sha)
  }

  function deleteRef(ref: string): void {
    const from = tips.get(ref)
    if (from === undefined) return
    tips.delete(ref)
    held.delete(ref)
    if (pick() % 2) announceRef(ref, false)
    const gone = { before: from, after: zeros, deleted: true, head_commit: null }
    underway.push(pushTo(repository, { ref, ...gone }))
  }

  function announceRef(ref: string, exists: boolean): void {
    const { kind, name } = readRef(ref)
    const { delivery_id, installation_codehost_id, sender, repository: facts } = pushTo(repository)
    const event = { delivery_id, installation_codehost_id, sender, repository: facts }
    const ref_type = kind === 'tag' ? 'tag' : 'branch'
    underway.push({ type: 'ref', ...event, ref_type, name, exists })
  }

  const refOfBase = ({ base }: PullState) => `refs/heads/${base.ref}`

  /** The base moves on: the former merge commit is that of another base. */
  function moveBase(state: PullState, sha: string): void {
    state.base = { ...state.base, sha }
    Object.assign(state, { mergeable: null, mergeable_state: 'unknown' })
  }

  function announce(pull: StoryPull, action: string, given: Partial<PullRequestEvent> = {}): void {
    const { number, isFork, state } = pull
    const repository_codehost_id = isFork ? 4711 + number : repository.codehost_id
    const head = { ...state.head, repository_codehost_id, slug: 'o/n' }
    // Now and then two changes happen within one second, the precision of the code host's clock.
    state.changed_at = new Date(noon.getTime() + 1000 * (seconds += pick() % 4 ? 1 : 0))
    const { base, changed_at, draft } = state
    const event = { number, action, state: state.state, head, base, changed_at, draft, ...given }
    underway.push(pullOf(repository, event))
  }

  /** The state that the code host shows for a while, because it reads from a copy. */
  const remember = ({ number, state }: StoryPull) => void (before = { number, state: { ...state } })

  function open(number: number): void {
    const isFork = pick() % 2 === 0
    const base = pickOf(bases) ?? main
    const shared = pulls.find((each) => each.isFork === isFork)
    const isShared = shared !== undefined && pick() % 2 === 0
    const sha = isShared ? shared.state.head.sha : newCommit([tips.get(base) ?? ''])
    const given = {
      head: sha,
      merge: null,
      base: { ref: readRef(base).name, sha: tips.get(base) ?? '' },
    }
    const known = host.commits.get(sha)
    const state = putPull(host, given, number)
    if (known) host.commits.set(sha, known)
    const pull = { number, isFork, ref: `refs/heads/topic-${number}`, state }
    pulls.push(pull)
    heads.add(sha)
    if (!isFork) moveRef(pull.ref, sha)
    announce(pull, 'opened')
  }

  /** Pushes to a pull request; to a pull request of the repository itself through its branch. */
  function moveHead(pull: StoryPull | undefined, sha: string): void {
    if (!pull || pull.state.state === 'closed' || pull.state.head.sha === sha) return
    remember(pull)
    const { state } = pull
    // The merge commit of the former head stays until the next one is created, sometimes as if it
    // were valid.
    if (pick() % 2) Object.assign(state, { mergeable: null, mergeable_state: 'unknown' })
    state.head = { ...state.head, sha }
    heads.add(sha)
    if (!pull.isFork) moveRef(pull.ref, sha)
    announce(pull, 'synchronize')
  }

  function retarget(pull = pickOf(pulls)): void {
    if (!pull || pull.state.state === 'closed') return
    remember(pull)
    const ref = bases.find((each) => each !== refOfBase(pull.state)) ?? main
    pull.state.base = { ...pull.state.base, ref: readRef(ref).name }
    moveBase(pull.state, tips.get(ref) ?? '')
    announce(pull, 'edited', { retargeted: true })
  }

  /**
   * A file that was deleted in the base since the head branched off is missing in the merge as
   * well.
   */
  function flavorOfMerge({ base, head }: PullState): Flavor | undefined {
    const isDeleted = isFileDeleted && flavorOf.get(base.sha) === 'bare'
    return isDeleted && !isBehind(base.sha, head.sha) ? 'bare' : flavorOf.get(head.sha)
  }

  function makeMerge({ state }: StoryPull): void {
    const sha = newCommit([state.base.sha, state.head.sha], flavorOfMerge(state))
    const merged = { mergeable: true, mergeable_state: 'clean', merge_commit_sha: sha }
    Object.assign(state, merged)
  }

  function setState(pull: StoryPull | undefined, state: 'open' | 'closed'): void {
    if (!pull || pull.state.state === state) return
    remember(pull)
    // A reopened pull request has its branch back.
    if (state === 'open' && !pull.isFork) moveRef(pull.ref, pull.state.head.sha)
    pull.state.state = state
    if (state === 'closed') for (const group of groupsOf(pull)) leaveQueue(group, 'dequeued')
    announce(pull, state === 'open' ? 'reopened' : 'closed')
  }

  /** As a merge commit, or with the head as the next commit of the base. */
  function merge(pull = pickOf(pulls)): void {
    if (!pull || pull.state.state === 'closed') return
    const { head, base } = pull.state
    const isForward = isBehind(base.sha, head.sha) && pick() % 2 === 0
    const ref = refOfBase(pull.state)
    const flavor = flavorOfMerge(pull.state)
    setState(pull, 'closed')
    const made = isForward ? head.sha : newCommit([base.sha, head.sha], unskipped(flavor))
    moveRef(ref, made)
  }

  const unskipped = (flavor: Flavor | undefined) => (flavor === 'skipped' ? 'plain' : flavor)
  const groupsOf = ({ number }: StoryPull) => queued.filter((each) => each.number === number)

  function queue(pull = pickOf(pulls)): void {
    if (!pull || pull.state.state === 'closed') return
    const { base, head } = pull.state
    const sha = newCommit([base.sha, head.sha], unskipped(flavorOf.get(head.sha)))
    const ref = `refs/heads/gh-readonly-queue/${base.ref}/pr-${pull.number}-${sha}`
    const group = { number: pull.number, ref, sha, base: base.ref }
    queued.push(group)
    underway.push(groupEvent(group))
  }

  function groupEvent({ ref, sha, base }: Group) {
    const event = mergeGroupOf(repository, { ref, base: { sha, ref: `refs/heads/${base}` } })
    return { ...event, head_commit: { ...event.head_commit, sha } }
  }

  function leaveQueue(group: Group | undefined, reason: 'merged' | 'dequeued'): void {
    const at = group ? queued.indexOf(group) : -1
    if (!group || at < 0) return
    queued.splice(at, 1)
    left.push(group)
    underway.push({ ...groupEvent(group), action: 'destroyed', reason })
  }

  /** The first entry of a queue is merged as it was tested. */
  function mergeGroup(group = pickOf(queued)): void {
    const pull = pulls.find(({ number }) => number === group?.number)
    if (!group || !pull || !isBehind(tips.get(`refs/heads/${group.base}`) ?? '', group.sha)) return
    leaveQueue(group, 'merged')
    moveRef(`refs/heads/${group.base}`, group.sha)
    setState(pull, 'closed')
  }

  function setDraft(pull = pickOf(pulls)): void {
    if (!pull || pull.state.state === 'closed') return
    pull.state.draft = !pull.state.draft
    announce(pull, pull.state.draft ? 'converted_to_draft' : 'ready_for_review')
  }

  const known = () => [...new Set([...heads, ...tips.values()])]
  const openPulls = () => pulls.filter(({ state }) => state.state === 'open')

  for (const ref of bases)
    moveRef(ref, newCommit([], isFileDeleted && ref !== main ? 'bare' : 'plain'))
  for (const number of [7, 8, 9]) open(number)

  return {
    ...{ tips, pulls, queued, left, underway, held, flavorOf, pickOf, openPulls },
    ...{ retarget, merge, queue, mergeGroup, setDraft, makeMerge, moveRef, deleteRef },
    remembered: (number: number) => (before?.number === number ? before.state : undefined),
    push: (pull = pickOf(pulls)) => pull && moveHead(pull, newCommit([pull.state.head.sha])),
    pushBack: (pull = pickOf(pulls)) => moveHead(pull, pickOf(known()) ?? ''),
    pushBranch: (ref: string) => {
      const tip = tips.get(ref)
      const next = () => newCommit([tip ?? tips.get(main) ?? ''])
      moveRef(ref, pick() % 3 ? (pickOf(known()) ?? '') : next())
    },
    tag: (ref: string) => moveRef(ref, pickOf(known()) ?? ''),
    deleteTopic: (pull = pickOf(pulls)) =>
      pull?.state.state === 'closed' && !pull.isFork && deleteRef(pull.ref),
    leaveQueue: () => leaveQueue(pickOf(queued), 'dequeued'),
    conflict: (pull = pickOf(pulls)) =>
      pull && Object.assign(pull.state, { mergeable: false, mergeable_state: 'dirty' }),
    close: () => setState(pickOf(pulls), 'closed'),
    reopen: () => setState(pickOf(pulls), 'open'),

    /** Whether a branch, tag or merge group no longer holds a commit. */
    isLost: (ref: string, sha: string) =>
      ref.includes('gh-readonly-queue/')
        ? left.some((group) => group.ref === ref && group.sha === sha)
        : !held.get(ref)?.has(sha),
  }
}
