import type { CommitStatus } from '../../../src/domain/commit/status.ts'
import type { Database } from '../../../src/store/tables.ts'
import { numberOf, requestRows, type Wanted, wantedIn, type World } from './model.ts'

/** The state of the code host at the end. */
export interface Standing extends World {
  /** The approvals whose head and base have not changed since. */
  certain: ReadonlySet<string>
  parentsOf(sha: string): Promise<readonly string[]>
  /** All statuses, oldest first. */
  posted: readonly { sha: string; status: CommitStatus }[]
  /** Commits that were added to the merge queue and are still there, and commits that left it. */
  queued: readonly string[]
  left: readonly string[]
  /**
   * How often in a row a status in this context was rejected as invalid, so that it may have been
   * given up.
   */
  doubts(place: string): number
  /** Whether a wrong response about a ref, or about a pull request's number, was believed. */
  isMisled(about: string | number): boolean
  /** Whether the code host ever denied that an existing record exists. */
  hasDenied: boolean
  /** Whether a base may lack a build file, so that merges into it lack one as well. */
  isFileDeleted: boolean
  /** The content of a commit, if known. */
  flavorOf(sha: string): string | undefined
}

type Row = Awaited<ReturnType<typeof requestRows>>[number]

/** The deviations from the expected state, in sentences; empty if there are none. */
export async function problemsOf(
  db: Database,
  repositoryId: number,
  standing: Standing,
): Promise<string[]> {
  const rows = await requestRows(db, repositoryId)
  const kept = await keptApprovals(db, repositoryId)
  const world = { ...standing, approved: kept }
  const worlds = [world, ...(await believedWorlds(db, repositoryId, world))]
  const wanted = await Promise.all(worlds.map((each) => wantedIn(db, repositoryId, each)))
  const untrue = wanted.map((each) => untrueStatuses(each, rows, standing))
  const isUntrueInAll = (problem: string) =>
    untrue.every((each) => each.some((other) => placeIn(other) === placeIn(problem)))
  return [
    ...(await strangersResults(rows, standing)),
    ...wrongApprovals(kept, standing),
    // The response that was believed about one ref may be true, while the one about another ref was
    // not.
    ...(untrue[0] ?? []).filter(isUntrueInAll),
    ...repeated(standing),
    ...wrongDecisions(rows, standing),
    ...withoutResult(rows, standing).filter(
      () => !standing.pulls.some(({ number }) => standing.isMisled(number)),
    ),
    ...unapproved(rows, standing, kept),
    ...ofQueue(rows, standing),
    ...(await silentWaits(db, repositoryId, rows)),
  ]
}

/** The state that may be believed after wrong responses about refs and pull requests. */
async function believedWorlds(
  db: Database,
  repositoryId: number,
  world: Standing,
): Promise<Standing[]> {
  const known = await db
    .selectFrom('pull_requests')
    .select(['number', 'head_sha as head', 'base_ref as base', 'state'])
    .where('repository_id', '=', repositoryId)
    .execute()
  const pulls = world.pulls.map((pull) => {
    const found = known.find(({ number }) => number === pull.number)
    if (!found || !world.isMisled(pull.number)) return pull
    return { ...pull, ...found, isOpen: found.state === 'open' }
  })
  return [true, false].map((isLost) => ({
    ...{ ...world, pulls },
    isLost: (ref: string, sha: string) => (world.isMisled(ref) ? isLost : world.isLost(ref, sha)),
  }))
}

/**
 * An approval ends with its head or base, even if that comes back, unless the change was never
 * reported.
 */
async function keptApprovals(db: Database, repositoryId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('approvals')
    .innerJoin('pull_requests', 'pull_requests.id', 'approvals.pull_request_id')
    .select(['number', 'sha', 'approvals.base_ref'])
    .where('approvals.repository_id', '=', repositoryId)
    .execute()
  return new Set(rows.map(({ number, sha, base_ref }) => `${number} ${sha} ${base_ref}`))
}

function wrongApprovals(
  kept: ReadonlySet<string>,
  { approved, certain, isMisled }: Standing,
): string[] {
  const given = [...kept].filter((pair) => !approved.has(pair))
  const isKnown = (pair: string) => !isMisled(Number(pair.split(' ')[0]))
  const lost = [...certain].filter((pair) => !kept.has(pair) && isKnown(pair))
  return [
    ...given.map((pair) => `no one approved ${pair}`),
    ...lost.map((pair) => `the approval of ${pair} is lost`),
  ]
}

/** Builds of a merge that does not contain the head that their request names. */
async function strangersResults(rows: readonly Row[], { parentsOf }: Standing) {
  const strange: string[] = []
  for (const { id, built, head_commit } of rows) {
    // The commits of a merge queue are built as they are.
    if (built === null || head_commit === null || built === head_commit) continue
    if ((await parentsOf(built)).includes(head_commit)) continue
    strange.push(`request ${id} is about ${head_commit}, but ${built} was built`)
  }
  return strange
}

/** The commit and context of an untrue status. */
const placeIn = (problem: string) => problem.split(' ').slice(0, 2).join(' ')

const contextOf = ({ context }: CommitStatus) => context.split('/').at(-1)
const placeOf = ({ sha, status }: Standing['posted'][number]) => `${sha} ${contextOf(status)}`
const textOf = ({ state, description, target_url }: CommitStatus) =>
  `"${state}: ${description}" (${target_url})`

/** Commits whose last status in a context differs from D49. */
function untrueStatuses(
  wanted: ReadonlyMap<string, Wanted>,
  rows: readonly Row[],
  { posted, doubts }: Standing,
): string[] {
  const shown = new Map(posted.map((each) => [placeOf(each), each.status]))
  const undecided = rows.filter(({ result }) => result === null).map(({ id }) => id)
  const wrong = [...wanted].flatMap(([place, { color, build, request, about }]) => {
    const status = shown.get(place)
    if (doubts(place) >= mostDoubts) return []
    if (!status) return undecided.includes(request) ? [] : [`${place} shows nothing`]
    const isRight =
      colorOf(status) === color &&
      (build === null || status.target_url.endsWith(`/builds/${build}`)) &&
      hasSubject(status, about)
    const of = `${color} of request ${request}${about ? `, "${about}…"` : ''}`
    return isRight ? [] : [`${place} shows ${textOf(status)}, not ${of}`]
  })
  const foreign = [...shown].filter(
    ([place, status]) => !wanted.has(place) && status.state !== 'error' && !doubts(place),
  )
  return [...wrong, ...foreign.map(([place, status]) => `${place} shows foreign ${textOf(status)}`)]
}

/** A status that is rejected as invalid is posted three more times. */
const mostDoubts = 4

function colorOf({ state }: CommitStatus) {
  if (state === 'success') return 'green'
  return state === 'pending' ? 'yellow' : 'red'
}

const hasSubject = ({ description }: CommitStatus, about: string | undefined) =>
  about === undefined
    ? !/^(?:#\d+ into|branch|tag|merge queue of) \S+: /.test(description)
    : description.startsWith(about)

/** Statuses that were posted although the context already showed the same. */
function repeated({ posted }: Standing): string[] {
  const shown = new Map<string, string>()
  return posted.flatMap((each) => {
    const before = shown.get(placeOf(each))
    shown.set(placeOf(each), textOf(each.status))
    return before === textOf(each.status) ? [`${placeOf(each)} got ${before} again`] : []
  })
}

/**
 * The possible results of a request about a commit, by the content of the commit, apart from its
 * pull request.
 */
const outcomes: Readonly<Record<string, readonly string[]>> = {
  plain: ['accepted'],
  skipped: ['skip_command', 'accepted'],
  bare: ['no_build_file'],
  filtered: ['branch_excluded'],
  conditional: ['condition', 'accepted'],
  faulty: ['condition'],
  unusable: ['accepted'],
  jobless: ['no_jobs', 'accepted'],
}
const ofPulls = ['head_moved', 'no_merge_commit', 'left_merge_queue', 'internal_error']
const ofDenials = ['no_commit', 'no_build_file', 'commit_not_on_ref']

/** Requests that were decided for another reason than their commit gives. */
function wrongDecisions(
  rows: readonly Row[],
  { flavorOf, hasDenied, isFileDeleted }: Standing,
): string[] {
  return rows.flatMap(({ id, event_type, shown, result, reason }) => {
    const flavor = flavorOf(shown) ?? ''
    const found = reason ?? result ?? ''
    const isExplicit = event_type === 'cron' || event_type === 'api'
    const own = (outcomes[flavor] ?? []).filter(
      (each) => isExplicit || flavor === 'plain' || flavor === 'unusable' || each !== 'accepted',
    )
    const ofFile = isFileDeleted ? ['no_build_file'] : []
    const others = [...ofPulls, ...ofFile, ...(hasDenied || isExplicit ? ofDenials : [])]
    // While the file is denied, or cannot be read, no rule is evaluated.
    const isUnread = found === 'accepted'
    if (own.length === 0 || result === null || [...own, ...others].includes(found)) return []
    return isUnread ? [] : [`request ${id} about a ${flavor} commit ended as ${found}`]
  })
}

/** Heads of open pull requests that are neither built for their base nor rejected with a reason. */
function withoutResult(rows: readonly Row[], { pulls }: Standing): string[] {
  return pulls.flatMap(({ number, head, base, isOpen }) => {
    if (!isOpen) return []
    const own = rows.filter(({ at }) => at === `refs/pull/${number}/merge`)
    const newest = own.findLast(({ head_commit }) => head_commit === head)
    const passing = ['head_moved', 'internal_error']
    const isOfBase = newest?.base_ref === base || newest?.reason === 'no_merge_commit'
    if (newest && isOfBase && !passing.includes(newest.reason ?? '')) return []
    const { id, base_ref, result, reason } = newest ?? {}
    const has = JSON.stringify({ id, base_ref, result, reason })
    return [`${head} of #${number} into ${base} has ${has}`]
  })
}

/** Builds of forks that wait although they are approved, or that ran without an approval. */
function unapproved(
  rows: readonly Row[],
  { pulls, approved }: Standing,
  kept: ReadonlySet<string>,
): string[] {
  return rows.flatMap(({ id, at, head_commit, base_ref, waits, started_at, state }) => {
    const pull = pulls.find(({ number }) => `refs/pull/${number}/merge` === at)
    if (!pull?.isFork) return []
    const pair = `${pull.number} ${head_commit} ${base_ref}`
    const isApproved = approved.has(pair)
    const isCurrent = pull.isOpen && pull.head === head_commit && pull.base === base_ref
    // An approval that ended with its head does not cover the same head when it comes back.
    if (kept.has(pair) && isCurrent && waits && state === 'created') {
      return [`the build of request ${id} waits for an approval that was given`]
    }
    // Without a start the job failed before it ran.
    if (isApproved || started_at === null || state === 'errored') return []
    return [`request ${id} of a fork ran, which no one approved`]
  })
}

/**
 * Commits that a merge queue waits for in vain, and commits that are built although they have left
 * it.
 */
function ofQueue(rows: readonly Row[], { queued, left }: Standing): string[] {
  const of = (sha: string) =>
    rows.filter(({ head_commit, at }) => head_commit === sha && numberOf(at) !== null)
  const waited = queued.filter((sha) => !of(sha).some(({ result }) => result !== null))
  const open = left.filter((sha) => of(sha).some(({ result }) => result === null))
  return [
    ...waited.map((sha) => `the merge queue waits for ${sha}`),
    ...open.map((sha) => `${sha} has left the merge queue, and is undecided`),
  ]
}

/** Requests that are undecided without a reason, and reports that are held back. */
async function silentWaits(db: Database, repositoryId: number, rows: readonly Row[]) {
  const silent = rows.flatMap(({ id, result, message }) =>
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
