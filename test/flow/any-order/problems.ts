import type { PullState } from '../../../src/codehost/codehost.ts'
import type { CommitStatus } from '../../../src/domain/status.ts'
import type { Database } from '../../../src/store/tables.ts'
import { wantedIn } from './model.ts'

/** How things stand at the code host in the end. */
export interface Standing {
  pull: Pick<PullState, 'state' | 'head' | 'base'>
  number: number
  isFork: boolean
  parentsOf(sha: string): Promise<readonly string[]>
  /** All statuses, oldest first. */
  posted: readonly { sha: string; status: CommitStatus }[]
  /** Commits that were put into the merge queue and stay there, and those that left it. */
  queued: readonly string[]
  left: readonly string[]
}

/** What is not as it should be, in sentences; nothing if all is well. */
export async function problemsOf(
  db: Database,
  repositoryId: number,
  standing: Standing,
): Promise<string[]> {
  return [
    ...(await strangersResults(db, repositoryId, standing)),
    ...(await untrueStatuses(db, repositoryId, standing)),
    ...(await silentWaits(db, repositoryId)),
    ...(await withoutResult(db, repositoryId, standing)),
    ...(await ofQueue(db, repositoryId, standing)),
  ]
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
async function strangersResults(db: Database, repositoryId: number, { parentsOf }: Standing) {
  const strange: string[] = []
  for (const { id, sha, head_commit } of await decided(db, repositoryId)) {
    // A merge queue has its own commits built as they are.
    if (sha === null || sha === head_commit) continue
    if ((await parentsOf(sha)).includes(head_commit ?? '')) continue
    strange.push(`request ${id} is about ${head_commit}, but ${sha} was built`)
  }
  return strange
}

/** Commits whose last status in a context is not what D49 wants. */
async function untrueStatuses(
  db: Database,
  repositoryId: number,
  { posted, pull, number, isFork, left }: Standing,
): Promise<string[]> {
  const { state, head, base } = pull
  const isOpen = state === 'open'
  const wanted = await wantedIn(db, repositoryId, {
    pulls: [{ number, head: head.sha, base: base.ref, isOpen, isFork }],
    approved: new Set(),
    isLost: (ref, sha) => ref.includes('gh-readonly-queue/') && left.includes(sha),
  })
  const shown = new Map(
    posted.map(({ sha, status }) => [`${sha} ${status.context.split('/').at(-1)}`, status]),
  )
  const requests = await decided(db, repositoryId)
  const undecided = requests.filter(({ result }) => result === null).map(({ id }) => id)
  const wrong = [...wanted].flatMap(([place, { color, build, request }]) => {
    const status = shown.get(place)
    if (!status) return undecided.includes(request) ? [] : [`${place} shows nothing`]
    const isRight =
      colorOf(status) === color &&
      (build === null || status.target_url.endsWith(`/builds/${build}`))
    const says = `"${status.state}: ${status.description}" (${status.target_url})`
    return isRight ? [] : [`${place} shows ${says}, not ${color} of request ${request}`]
  })
  const foreign = [...shown].filter(
    ([place, status]) => !wanted.has(place) && status.state !== 'error',
  )
  return [...wrong, ...foreign.map(([place, { state }]) => `${place} shows a foreign ${state}`)]
}

function colorOf({ state }: CommitStatus) {
  if (state === 'success') return 'green'
  return state === 'pending' ? 'yellow' : 'red'
}

/** The head of an open pull request, if it is neither built for its base nor said why not. */
async function withoutResult(db: Database, repositoryId: number, { pull }: Standing) {
  const { state, head, base } = pull
  if (state === 'closed') return []
  const requests = await decided(db, repositoryId)
  const newest = requests.findLast(({ head_commit }) => head_commit === head.sha)
  const passing = ['head_moved', 'internal_error']
  if (newest?.base_ref === base.ref && !passing.includes(newest.reason ?? '')) return []
  const { id, base_ref, result, reason } = newest ?? {}
  return [`${head.sha} into ${base.ref} has ${JSON.stringify({ id, base_ref, result, reason })}`]
}

/** Commits that a merge queue waits for in vain, and those that are built though they have left it. */
async function ofQueue(db: Database, repositoryId: number, { queued, left }: Standing) {
  const requests = await decided(db, repositoryId)
  const of = (sha: string) => requests.filter(({ head_commit }) => head_commit === sha)
  const waited = queued.filter((sha) => !of(sha).some(({ result }) => result !== null))
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
