import { undefinedIfMissing } from '../../src/codehost/app/client.ts'
import { CodehostError, type CodehostFailure, type PullState } from '../../src/codehost/codehost.ts'
import type { MergeGroupEvent, PullRequestEvent } from '../../src/domain/event.ts'
import { unusableText } from '../../src/domain/request/decision.ts'
import {
  statusOf,
  rejectedStatus,
  unusableStatus,
  waitsForApproval,
  waitsForMerge,
} from '../../src/domain/status.ts'
import { acceptRequest } from '../../src/flow/accept-request.ts'
import { endMergeGroup } from '../../src/flow/end-merge-group.ts'
import { finishJob } from '../../src/flow/finish-job.ts'
import { giveUpRequest } from '../../src/flow/give-up-request.ts'
import { noteRequestWaiting } from '../../src/flow/note-request-waiting.ts'
import { publishOutbox } from '../../src/flow/publish-outbox.ts'
import { receiveEvent } from '../../src/flow/receive-event.ts'
import type { Database } from '../../src/store/tables.ts'
import { noon, testContext } from '../support/context.ts'
import { mergeGroupOf, pullOf } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import {
  commitOf,
  type MemoryCodehost,
  memoryCodehost,
  putPull,
} from '../support/memory-codehost.ts'

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

interface Setting {
  fork: boolean
  /** The next choice, as a number. */
  pick(): number
}

/** A repository of its own with one pull request, which is opened but not heard of yet. */
export async function codehostInAnyOrder(db: Database, { fork, pick }: Setting) {
  const codehost = lagging(forgetful(memoryCodehost()))
  const ctx = testContext(db, { codehost })
  const repository = await factories(db).repository({ codehost_id: 1_000_000 + (shas += 1) })
  const tries = new Map<number, number>()
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

  /** As the queue does it, all that is left, as if its pauses were over. */
  async function work(): Promise<void> {
    const undecided = await db
      .updateTable('requests')
      .set({ retry_at: null })
      .where('repository_id', '=', repository.id)
      .where('state', '<>', 'finished')
      .returning('id')
      .execute()
    for (const { id } of undecided.toSorted((a, b) => a.id - b.id)) await decide(id)
    const unreported = await db
      .updateTable('outbox')
      .set({ next_attempt_at: null })
      .where('published_at', 'is', null)
      .where('stream', 'like', `%:${repository.id}:%`)
      .returning('stream')
      .execute()
    const streams = new Set(unreported.map(({ stream }) => stream))
    for (const stream of streams) await publishOutbox(ctx, stream)
  }

  async function decide(id: number): Promise<void> {
    try {
      await acceptRequest(ctx, id)
    } catch (error) {
      if (!(error instanceof CodehostError)) throw error
      await noteRequestWaiting(ctx, id, error).catch(() => {})
      if (error.temporary) return
      const tried = (tries.get(id) ?? 0) + 1
      tries.set(id, tried)
      if (tried === 8) await giveUpRequest(ctx, id)
    }
  }

  async function finish(): Promise<void> {
    const open = await db
      .selectFrom('jobs')
      .innerJoin('builds', 'builds.id', 'jobs.build_id')
      .select(['jobs.id', 'jobs.attempt'])
      .where('jobs.repository_id', '=', repository.id)
      .where('jobs.state', '=', 'created')
      .where('builds.waits_for_approval', '=', false)
      .orderBy('jobs.id')
      .execute()
    const job = open[pick() % Math.max(1, open.length)]
    if (job)
      await finishJob(
        ctx,
        { job_id: job.id, attempt: job.attempt },
        pick() % 2 ? 'passed' : 'failed',
      )
  }

  const acts: Partial<Record<Step, () => void | Promise<void>>> = {
    deliver,
    work,
    finish,
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

    problems: async () => [
      ...(await strangersResults(db, codehost, repository.id)),
      ...(await untrueStatuses(db, codehost, repository.id)),
      ...(await silentWaits(db, repository.id)),
      ...(await withoutResult(db, repository.id, pull)),
      ...(await ofQueue(db, repository.id, { queued, left })),
    ],
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

function decided(db: Database, repositoryId: number) {
  return db
    .selectFrom('requests')
    .leftJoin('builds', 'builds.request_id', 'requests.id')
    .leftJoin('commits', 'commits.id', 'builds.commit_id')
    .selectAll('requests')
    .select(['builds.id as build_id', 'builds.state as build_state', 'commits.sha'])
    .select(['builds.waits_for_approval', 'builds.config_error'])
    .where('requests.repository_id', '=', repositoryId)
    .orderBy('requests.id')
    .execute()
}

/** Builds of a merge that does not have the head that their request names. */
async function strangersResults(db: Database, { commits }: MemoryCodehost, repositoryId: number) {
  const requests = await decided(db, repositoryId)
  return requests.flatMap(({ id, sha, head_commit }) => {
    // A merge queue has its own commits built as they are.
    if (
      sha === null ||
      sha === head_commit ||
      commits.get(sha)?.parents.includes(head_commit ?? '')
    )
      return []
    return `request ${id} is about ${head_commit}, but ${sha} was built`
  })
}

/** What can never be posted, as after a 404, is said on the page and by the doctor instead. */
async function saidAsLost(db: Database, repositoryId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('outbox')
    .select('stream')
    .where('published_at', 'is not', null)
    .where('error', 'is not', null)
    .where('stream', 'like', `status:${repositoryId}:%`)
    .execute()
  return new Set(rows.map(({ stream }) => stream.split(':')[2] ?? ''))
}

/** Heads whose last status is not what a request about them, or its build, has come to. */
async function untrueStatuses(db: Database, { posted }: MemoryCodehost, repositoryId: number) {
  const requests = await decided(db, repositoryId)
  const lost = await saidAsLost(db, repositoryId)
  const last = new Map(posted.map(({ sha, status }) => [sha, status]))
  return [...last].flatMap(([head, { state, description, target_url }]) => {
    if (lost.has(head)) return []
    const ofHead = requests.filter(({ head_commit }) => head_commit === head)
    // A head that was built again has the result of its newest build.
    const newest = ofHead.findLast(({ build_id }) => build_id !== null)?.id ?? 0
    const true_ = ofHead
      .filter(({ id }) => id >= newest)
      .flatMap((request) => {
        const { build_id, build_state, waits_for_approval, result, config_error, checks } = request
        if (build_id === null) return result === null ? waitsForMerge : rejectedStatus(request)
        if (!target_url.endsWith(`/builds/${build_id}`)) return []
        const waits = waits_for_approval === true && build_state === 'created'
        const fault = config_error === null ? undefined : unusableText(checks)
        if (fault !== undefined && build_state === 'errored') return unusableStatus(fault)
        return waits ? waitsForApproval : statusOf(build_state ?? 'created')
      })
    const isTrue = true_.some((each) => each.state === state && each.description === description)
    return isTrue ? [] : `${head} shows "${state}: ${description}"`
  })
}

/** The head of an open pull request, if it is neither built for its base nor said why not. */
async function withoutResult(db: Database, repositoryId: number, { state, head, base }: PullState) {
  if (state === 'closed') return []
  const requests = await decided(db, repositoryId)
  const newest = requests.findLast(({ head_commit }) => head_commit === head.sha)
  const passing = ['head_moved', 'internal_error']
  if (newest?.base_ref === base.ref && !passing.includes(newest.reason ?? '')) return []
  const { id, base_ref, result, reason } = newest ?? {}
  return [`${head.sha} into ${base.ref} has ${JSON.stringify({ id, base_ref, result, reason })}`]
}

/** Commits that a merge queue waits for in vain, and those that are built though they have left it. */
async function ofQueue(
  db: Database,
  repositoryId: number,
  { queued, left }: { queued: readonly MergeGroupEvent[]; left: readonly string[] },
) {
  const requests = await decided(db, repositoryId)
  const of = (sha: string) => requests.filter(({ head_commit }) => head_commit === sha)
  const waited = queued
    .map(({ head_commit }) => head_commit.sha)
    .filter((sha) => !of(sha).some(({ result }) => result !== null))
  const open = left.filter((sha) =>
    of(sha).some(({ result, build_state }) => result === null || build_state === 'created'),
  )
  return [
    ...waited.map((sha) => `the merge queue waits for ${sha}`),
    ...open.map((sha) => `${sha} has left the merge queue, and is built`),
  ]
}

/** Requests that are not decided and do not say why, and reports that are kept back. */
async function silentWaits(db: Database, repositoryId: number) {
  const requests = await decided(db, repositoryId)
  const silent = requests.flatMap(({ id, result, message }) =>
    result === null && !message?.startsWith('waiting: ') ? `request ${id} waits silently` : [],
  )
  const kept = await db
    .selectFrom('outbox')
    .select(['id', 'error'])
    .where('published_at', 'is', null)
    .where('stream', 'like', `%:${repositoryId}:%`)
    .execute()
  return [...silent, ...kept.map(({ id, error }) => `report ${id} is kept: ${error}`)]
}
