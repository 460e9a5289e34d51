import { undefinedIfMissing } from '../../../src/codehost/app/client.ts'
import {
  CodehostError,
  type CodehostFailure,
  type PullState,
} from '../../../src/codehost/codehost.ts'
import type { MergeGroupEvent, PullRequestEvent } from '../../../src/domain/event.ts'
import { endMergeGroup } from '../../../src/flow/end-merge-group.ts'
import { receiveEvent } from '../../../src/flow/receive-event.ts'
import type { Database } from '../../../src/store/tables.ts'
import { noon, testContext } from '../../support/context.ts'
import { mergeGroupOf, pullOf } from '../../support/events.ts'
import { factories } from '../../support/factories.ts'
import {
  commitOf,
  type MemoryCodehost,
  memoryCodehost,
  putPull,
} from '../../support/memory-codehost.ts'
import { problemsOf } from './problems.ts'
import { serviceOf, type Setting } from './service.ts'

/** What may happen: at the code host, on the way from there, in the service, and to its calls. */
export const steps = [
  ...['push', 'push', 'push back', 'retarget', 'make merge', 'make merge', 'conflict', 'close'],
  ...['reopen', 'lag', 'queue', 'leave queue'],
  ...['deliver', 'deliver', 'deliver', 'work', 'work', 'finish', 'finish'],
  ...['answer', '401', '403', '404', '500'],
] as const
export type Step = (typeof steps)[number]

const failures: Readonly<Partial<Record<Step, CodehostFailure>>> = {
  '401': 'refused',
  '403': 'refused',
  '404': 'missing',
  '500': 'away',
}

const base = 'b'.repeat(40)
const bases = ['main', 'easy']
let shas = 0
const newSha = () => (shas += 1).toString(16).padStart(40, '0')

/** A repository of its own with one pull request, which is opened but not heard of yet. */
export async function codehostInAnyOrder(db: Database, { fork, pick }: Setting) {
  const codehost = lagging(forgetful(memoryCodehost()))
  const ctx = testContext(db, { codehost })
  const repository = await factories(db).repository({ codehost_id: 1_000_000 + (shas += 1) })
  const { work, finish } = serviceOf(ctx, async () => repository.id)
  const pull = putPull(codehost, { head: newSha(), merge: null })
  const heads = [pull.head.sha]
  const underway: (MergeGroupEvent | PullRequestEvent)[] = []
  const queued: MergeGroupEvent[] = []
  const left: string[] = []
  let seconds = 0
  announce('opened')

  function announce(action: string, given: Partial<PullRequestEvent> = {}): void {
    const { state } = pull
    const repository_codehost_id = fork ? 4711 : repository.codehost_id
    const head = { ...pull.head, repository_codehost_id, slug: 'o/n' }
    // Now and then two changes happen within the second that the code host's clock tells.
    const changed_at = new Date(noon.getTime() + 1000 * (seconds += pick() % 4 ? 1 : 0))
    pull.changed_at = changed_at
    const event = { action, state, head, base: pull.base, changed_at, ...given }
    underway.push(pullOf(repository, event))
  }

  function moveHead(sha: string): void {
    if (pull.state === 'closed' || pull.head.sha === sha) return
    codehost.remember(pull)
    // The merge commit of the head before stays until the next one is made, now and then as if valid.
    if (pick() % 2) Object.assign(pull, { mergeable: null, mergeable_state: 'unknown' })
    pull.head = { ...pull.head, sha }
    heads.push(sha)
    codehost.commits.set(sha, commitOf(sha, 'Greet'))
    announce('synchronize')
  }

  function retarget(): void {
    if (pull.state === 'closed') return
    codehost.remember(pull)
    const ref = bases.find((each) => each !== pull.base.ref) ?? ''
    Object.assign(pull, { mergeable: null, mergeable_state: 'unknown', base: { sha: base, ref } })
    announce('edited', { retargeted: true })
  }

  function makeMerge(): void {
    const merge_commit_sha = newSha()
    const { sha } = pull.head
    codehost.commits.set(merge_commit_sha, commitOf(merge_commit_sha, 'Merge', [base, sha]))
    codehost.files.set(merge_commit_sha, 'script: make')
    Object.assign(pull, { mergeable: true, mergeable_state: 'clean', merge_commit_sha })
  }

  function setState(state: 'open' | 'closed'): void {
    if (pull.state === state) return
    codehost.remember(pull)
    pull.state = state
    announce(state === 'open' ? 'reopened' : 'closed')
  }

  function queue(): void {
    if (pull.state === 'closed') return
    const sha = newSha()
    codehost.commits.set(sha, commitOf(sha, 'Merge', [base, pull.head.sha]))
    codehost.files.set(sha, 'script: make')
    const ref = `refs/heads/gh-readonly-queue/main/pr-7-${sha}`
    const event = mergeGroupOf(repository, { ref })
    const asked = { ...event, head_commit: { ...event.head_commit, sha } }
    queued.push(asked)
    underway.push(asked)
  }

  function leaveQueue(): void {
    const [event] = queued.splice(pick() % Math.max(1, queued.length), 1)
    if (!event) return
    left.push(event.head_commit.sha)
    underway.push({ ...event, action: 'destroyed', reason: 'dequeued' })
  }

  async function deliver(): Promise<void> {
    const [event] = underway.splice(pick() % Math.max(1, underway.length), 1)
    if (!event) return
    try {
      if (event.action === 'destroyed') await endMergeGroup(ctx, event as MergeGroupEvent)
      else await receiveEvent(ctx, event)
    } catch (error) {
      if (!(error instanceof CodehostError) || !error.temporary) throw error
      // As in the queue, it waits for the code host.
      underway.push(event)
    }
  }

  const acts: Partial<Record<Step, () => void | Promise<void>>> = {
    deliver,
    work,
    finish: () => finish(pick),
    queue,
    retarget,
    'leave queue': leaveQueue,
    push: () => moveHead(newSha()),
    'push back': () => moveHead(heads[pick() % heads.length] ?? ''),
    lag: () => codehost.lagFor(pick() % 4),
    'make merge': makeMerge,
    conflict: () => void Object.assign(pull, { mergeable: false, mergeable_state: 'dirty' }),
    close: () => setState('closed'),
    reopen: () => setState('open'),
    answer: () => void (codehost.failure = undefined),
  }

  return {
    async take(step: Step): Promise<void> {
      const kind = failures[step]
      if (kind) codehost.failure = new CodehostError(`it responded with ${step}`, { kind })
      await acts[step]?.()
    },

    /** All that is underway arrives, and the code host answers again. */
    async settle(): Promise<void> {
      codehost.failure = undefined
      codehost.lagFor(0)
      if (pull.mergeable !== false) makeMerge()
      while (underway.length > 0) await deliver()
      for (let round = 0; round < 8; round += 1) await work()
    },

    problems: () =>
      problemsOf(db, repository.id, {
        pull,
        number: 7,
        isFork: fork,
        parentsOf: async (sha) => codehost.commits.get(sha)?.parents ?? [],
        posted: codehost.posted,
        queued: queued.map(({ head_commit }) => head_commit.sha),
        left,
      }),
  }
}

/** A code host that answers from a copy, which is behind for some reads. */
function lagging(host: MemoryCodehost) {
  const { pull } = host
  let before: PullState | undefined
  let reads = 0
  return Object.assign(host, {
    remember: (state: PullState) => void (before = { ...state }),
    lagFor: (count: number) => void (reads = count),
    async pull(...given: Parameters<typeof pull>) {
      const state = await pull(...given)
      return reads-- > 0 && before ? before : state
    },
  })
}

/** What the code host has not is undefined to those who look for it, as `codehost/app` has it. */
function forgetful(host: MemoryCodehost): MemoryCodehost {
  const { pull, commit, file } = host
  return Object.assign(host, {
    pull: (...given: Parameters<typeof pull>) => pull(...given).catch(undefinedIfMissing),
    commit: (...given: Parameters<typeof commit>) => commit(...given).catch(undefinedIfMissing),
    file: (...given: Parameters<typeof file>) => file(...given).catch(undefinedIfMissing),
  })
}
