import { setTimeout as pause } from 'node:timers/promises'
import { run } from '../harness/databases.ts'
import { lines, type Pushes } from './pushes.ts'

/** What became of all pushes; `problems` is empty when every one was built as if nothing had happened. */
export interface Verdict {
  pushes: number
  jobs: number
  passed: number
  /** Runs of jobs that were lost and repeated. */
  repeated_runs: number
  /** Those of them that counted against their job. */
  blamed: number
  /** Statuses that were posted more than once. */
  repeated_statuses: number
  problems: string[]
}

interface FoundBuild {
  sha: string
  result: string | null
  build_state: string | null
  requests: number
  builds: number
}

interface FoundJob {
  id: number
  state: string
  attempt: number
  resets: number
}

const mostSeconds = 900
/** Build queued, build running, the build passed. */
const mostStatuses = 3

/** Waits until nothing is left to be done. Whatever was not accepted is delivered again meanwhile. */
export async function settle(pushes: Pushes, url: string): Promise<void> {
  for (let seconds = 0; seconds < mostSeconds; seconds++) {
    const refused = await pushes.redeliver()
    const left = await leftToDo(url).catch(() => Infinity)
    if (refused === 0 && left === 0) return
    await pause(1000)
  }
}

async function leftToDo(url: string): Promise<number> {
  const [row] = await run<{ left: string }>(
    url,
    `select (select count(*) from deliveries where state = 'received')
      + (select count(*) from requests where state <> 'finished')
      + (select count(*) from builds where finished_at is null)
      + (select count(*) from outbox where published_at is null) as left`,
  )
  return Number(row?.left)
}

/** `webUrl` is where logs are read. */
export async function judge(pushes: Pushes, url: string, webUrl: string): Promise<Verdict> {
  const wanted = pushes.shas.length * pushes.jobs
  const jobs = await run<FoundJob>(url, 'select id, state, attempt, resets from jobs order by id')
  const statuses = pushes.shas.map((sha) => statusesOf(pushes, sha))
  const problems = [
    ...(await buildProblems(pushes, url)),
    ...(jobs.length === wanted ? [] : [`${jobs.length} jobs instead of ${wanted}`]),
    ...jobs.filter(({ state }) => state !== 'passed').map(({ id, state }) => `job ${id}: ${state}`),
    ...statuses.flatMap((each, index) => statusProblem(pushes.shas[index] ?? '', each)),
  ]
  for (const { id } of jobs) problems.push(...(await logProblems(webUrl, id)))
  return {
    pushes: pushes.shas.length,
    jobs: jobs.length,
    passed: jobs.filter(({ state }) => state === 'passed').length,
    repeated_runs: sum(jobs.map(({ attempt }) => attempt - 1)),
    blamed: sum(jobs.map(({ resets }) => resets)),
    repeated_statuses: sum(statuses.map(({ length }) => Math.max(0, length - mostStatuses))),
    problems,
  }
}

async function buildProblems({ shas }: Pushes, url: string): Promise<string[]> {
  const found = await run<FoundBuild>(
    url,
    `select sha, max(result) as result, max(builds.state) as build_state,
        count(distinct requests.id)::int as requests, count(distinct builds.id)::int as builds
      from requests join commits on commits.id = requests.commit_id
        left join builds on builds.request_id = requests.id
      group by sha`,
  )
  const bySha = new Map(found.map((each) => [each.sha, each]))
  return shas.flatMap((sha) => {
    const { requests = 0, builds = 0, result, build_state } = bySha.get(sha) ?? {}
    const isRight = requests === 1 && builds === 1 && build_state === 'passed'
    if (isRight && result === 'accepted') return []
    return [`push ${sha}: ${requests} requests (${result}), ${builds} builds (${build_state})`]
  })
}

/** Oldest first. */
function statusesOf({ host, repository }: Pushes, sha: string): string[] {
  return host
    .statuses(repository, sha)
    .filter(({ context }) => context === 'continuous-integration/service/push')
    .map(({ state }) => state)
    .toReversed()
}

/**
 * A status may be posted twice when a process dies in between, and one that is over before its turn is not posted
 * at all, but no order is ever wrong.
 */
function statusProblem(sha: string, states: readonly string[]): string[] {
  const said = states.join(' ')
  return /^(pending )*success( success)*$/.test(said) ? [] : [`statuses of ${sha}: ${said}`]
}

/** A log is complete when it has each line of its last run, in order, once. */
async function logProblems(webUrl: string, job: number): Promise<string[]> {
  const response = await fetch(`${webUrl}/jobs/${job}/log`, { headers: { accept: 'text/plain' } })
  const text = await response.text()
  const numbers = [...text.matchAll(/^line (\d+)\r?$/gm)].map(([, number]) => Number(number))
  const isWhole = numbers.length === lines && numbers.every((each, index) => each === index + 1)
  const hasEnd = text.includes('\nthis is the end') && text.includes('exit code of the job is 0.')
  return isWhole && hasEnd
    ? []
    : [`log of job ${job}: ${numbers.length} lines, end ${hasEnd}, status ${response.status}`]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
