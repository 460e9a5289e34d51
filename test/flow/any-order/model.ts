// D49 once more, for stories: derived from the state of the code host, without sharing code with
// the service.
import type { Database } from '../../../src/store/tables.ts'

/** The state of the code host. */
export interface World {
  pulls: readonly { number: number; head: string; base: string; isOpen: boolean; isFork: boolean }[]
  /** The approvals of maintainers, as `number head base`. */
  approved: ReadonlySet<string>
  /** Whether a ref, or a merge group, no longer holds a commit. */
  isLost(ref: string, sha: string): boolean
}

type Color = 'green' | 'yellow' | 'red'

/** The expected status: its color, and the build that its link leads to, if any. */
export interface Wanted {
  color: Color
  build: number | null
  request: number
  /** The beginning of the text, if several requests count. */
  about?: string
}

const worse: readonly Color[] = ['green', 'yellow', 'red']

interface Told extends Wanted {
  ref: string
  base: string | null
  number: number | null
  /** Only means that no status is expected. */
  isOver: boolean
  isOpen: boolean
}

/** The expected status of each commit and context; none if no status is required. */
export async function wantedIn(
  db: Database,
  repositoryId: number,
  world: World,
): Promise<Map<string, Wanted>> {
  const rows = await requestRows(db, repositoryId)
  const wanted = new Map<string, Wanted>()
  const places = new Set(
    rows.flatMap((row) => contextsOf(row).map((each) => `${row.shown} ${each}`)),
  )
  for (const place of places) {
    const [sha = '', context = ''] = place.split(' ')
    const own = rows.filter((row) => row.shown === sha && contextsOf(row).includes(context))
    const found = context === 'pr' ? ofPulls(own, world, sha) : ofRefs(own, world, context, sha)
    if (found) wanted.set(place, found)
  }
  return wanted
}

type Row = Awaited<ReturnType<typeof requestRows>>[number]

export async function requestRows(db: Database, repositoryId: number) {
  const rows = await db
    .selectFrom('requests')
    .leftJoin('builds', 'builds.request_id', 'requests.id')
    .leftJoin('commits', 'commits.id', 'requests.commit_id')
    .leftJoin('commits as built', 'built.id', 'builds.commit_id')
    .select(['requests.id', 'requests.event_type', 'requests.ref', 'requests.base_ref'])
    .select(['requests.result', 'requests.reason', 'requests.checks', 'requests.head_commit'])
    .select(['requests.message', 'requests.from_fork', 'commits.sha', 'built.sha as built'])
    .select(['builds.id as build', 'builds.state', 'builds.started_at'])
    .select(['builds.waits_for_approval as waits'])
    // The jobs as they ended before they were restarted.
    .select(({ selectFrom }) =>
      selectFrom('job_versions')
        .innerJoin('jobs', 'jobs.id', 'job_versions.job_id')
        .select(({ fn }) => fn.count<number>('job_versions.number').as('earlier'))
        .whereRef('jobs.build_id', '=', 'builds.id')
        .where(({ eb, or }) =>
          or([
            eb('job_versions.started_at', 'is not', null),
            eb('job_versions.state', '!=', 'canceled'),
          ]),
        )
        .as('runs'),
    )
    .where('requests.repository_id', '=', repositoryId)
    .orderBy('requests.id')
    .execute()
  return rows.map((row) => ({ ...row, shown: row.head_commit ?? row.sha ?? '', at: row.ref ?? '' }))
}

const isOfGroup = ({ at }: Pick<Row, 'at'>) => at.includes('gh-readonly-queue/')

export function numberOf(at: string): number | null {
  const found = /\/pr-(\d+)-|pull\/(\d+)\//.exec(at)
  return found ? Number(found[1] ?? found[2]) : null
}

function contextsOf(row: Row): string[] {
  if (isOfGroup(row)) return ['push', 'pr']
  if (row.event_type === 'pull_request') return ['pr']
  if (row.event_type !== 'push') return [row.event_type]
  return [row.at.startsWith('refs/tags/') ? 'tag' : 'push']
}

/**
 * (a), (d), (e): the newest request of each ref, among refs that hold the commit if one of those
 * was built.
 */
function ofRefs(rows: readonly Row[], world: World, context: string, sha: string) {
  const counted = context === 'push' || context === 'tag' ? rows : rows.filter(({ build }) => build)
  const newest = newestOf(counted, ({ at }) => at, world, context, sha)
  const holding = newest.filter(({ ref }) => !world.isLost(ref, sha))
  return worst(holding.some(({ build }) => build !== null) ? holding : newest)
}

/** (b): open and trusted requests, else the oldest open fork, else the newest of all others. */
function ofPulls(rows: readonly Row[], world: World, sha: string) {
  const told = newestOf(rows, (row) => `${row.at} ${row.base_ref}`, world, 'pr', sha)
  const open = told.filter(({ isOpen }) => isOpen)
  const isTrusted = ({ ref, number }: Told) => {
    const pull = world.pulls.find((each) => each.number === number)
    if (isOfGroup({ at: ref }) || !pull?.isFork) return true
    return world.approved.has(`${number} ${sha} ${pull.base}`)
  }
  const trusted = ofBases(open.filter(isTrusted), world, sha)
  if (trusted.length > 0) return worst(trusted)
  const forks = ofBases(
    open.filter((each) => !isTrusted(each)),
    world,
    sha,
  ).toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0))
  // A request that passes without an approval passes no other one.
  const waits = forks.filter(({ color }) => color !== 'green')
  if (forks.length > 0) return worst([...waits, ...forks].slice(0, 1))
  const rest = told.filter(({ isOpen }) => !isOpen).toSorted((a, b) => a.request - b.request)
  return worst([rest.findLast(({ isOver }) => !isOver) ?? rest.at(-1)].filter((each) => !!each))
}

/**
 * The newest request of each pull request for its current base; else an error that it was not
 * tested against that base.
 */
function ofBases(told: readonly Told[], { pulls }: World, sha: string): Told[] {
  const refs = [...new Set(told.map(({ ref }) => ref))]
  return refs.flatMap((ref) => {
    const own = told.filter((each) => each.ref === ref)
    if (ref.includes('gh-readonly-queue/')) return own.slice(-1)
    const pull = pulls.find(
      ({ number, head }) => `refs/pull/${number}/merge` === ref && head === sha,
    )
    const about = own.filter(({ base }) => base === pull?.base)
    if (about.length > 0) return about.slice(-1)
    const last = own.toSorted((a, b) => a.request - b.request).at(-1)
    return last ? [{ ...last, color: 'red' as const, base: pull?.base ?? null, build: null }] : []
  })
}

/** (c): by key the newest request that reports anything, or one that is over if all are over. */
function newestOf(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  world: World,
  context: string,
  sha: string,
): Told[] {
  const keys = [...new Set(rows.map(keyOf))]
  return keys.flatMap((key) => {
    const group = rows.filter((row) => keyOf(row) === key)
    const told = group.flatMap((row) => tell(row, world, context, sha) ?? [])
    const found = told.findLast(({ isOver }) => !isOver) ?? told.at(-1)
    return found ? [found] : []
  })
}

function tell(row: Row, world: World, context: string, sha: string): Told | undefined {
  const number = numberOf(row.at)
  const pull = world.pulls.find((each) => each.number === number)
  const isOpen = isOfGroup(row)
    ? !world.isLost(row.at, row.shown)
    : pull !== undefined && pull.isOpen && pull.head === sha
  const base = {
    ...{ request: row.id, build: row.build, ref: row.at, base: row.base_ref, isOpen, number },
  }
  const is = (color: Color, isOver = false): Told => ({ ...base, color, isOver })
  if (row.result === null) return is('yellow')
  // A request that is decided again, for a build whose file could not be fetched, is judged by its
  // decision.
  if (row.build !== null && row.result === 'accepted') {
    const isIdle =
      row.started_at === null &&
      row.runs === 0 &&
      ['created', 'received', 'canceled'].includes(row.state ?? '')
    const isOfPull = row.at.startsWith('refs/pull/') || isOfGroup(row)
    if (isOfPull && !isOpen && isIdle) return is('red', true)
    if (row.state === 'passed') return is('green')
    return is(['created', 'received', 'started'].includes(row.state ?? '') ? 'yellow' : 'red')
  }
  const reason = row.reason ?? ''
  if (['repository_inactive', 'owner_excluded', 'no_commit', 'commit_not_on_ref'].includes(reason))
    return
  if (reason === 'no_build_file') return has(row, 'build_file', 'lost') ? is('red') : undefined
  if (reason === 'head_moved' || reason === 'left_merge_queue') return is('red', true)
  const wasClosed = row.checks.some(({ values }) => values['merge'] === 'closed')
  if (context === 'pr' && reason === 'no_merge_commit' && (!isOpen || wasClosed))
    return is('red', true)
  const green = ['skip_command', 'pushes_disabled', 'pull_requests_disabled']
  const ofFile = ['pages_branch', 'branch_excluded', 'condition', 'no_jobs']
  if (![...green, ...ofFile].includes(reason)) return is('red')
  const isFaulty = ['error', 'never', 'suspect'].some((name) => has(row, 'condition', name))
  if (isFaulty || has(row, 'jobs', 'never') || has(row, 'jobs', 'unreadable')) return is('red')
  const isOfPullsOnly = ['pull_requests_disabled', 'condition', 'no_jobs'].includes(reason)
  if (isOfGroup(row) && context === 'push' && isOfPullsOnly) return is('red')
  const isOwnChoice = row.from_fork && (reason === 'skip_command' || ofFile.includes(reason))
  const isOfBase = row.checks.some(({ rule, passed }) => rule === 'base_file' && !passed)
  const isApproved = world.approved.has(`${number} ${sha} ${pull?.base}`)
  if (!isOwnChoice || isOfBase || isApproved) return is('green')
  return isOpen ? is('yellow') : is('red', true)
}

/** Whether a failed check has such a value. */
function has({ checks }: Row, name: string, value: string): boolean {
  return checks.some(
    ({ rule, passed, values }) =>
      rule === name &&
      !passed &&
      values[value] !== null &&
      values[value] !== false &&
      value in values,
  )
}

function worst(told: readonly Told[]): Wanted | undefined {
  const left = told.filter(({ isOver }) => !isOver)
  const counted = left.length > 0 ? left : told
  const shown = counted
    .toSorted((a, b) => worse.indexOf(a.color) - worse.indexOf(b.color) || a.request - b.request)
    .at(-1)
  return shown && counted.length > 1 ? { ...shown, about: subjectOf(shown) } : shown
}

function subjectOf({ ref, number, base }: Told): string {
  if (isOfGroup({ at: ref })) return `merge queue of ${base}: `
  if (number !== null) return `#${number} into ${base}: `
  return ref.replace('refs/heads/', 'branch ').replace('refs/tags/', 'tag ').concat(': ')
}
