import type { Failure } from '../../domain/failure/failure.ts'
import { grouped } from '../../domain/grouped.ts'
import { distinctionOf, ownVariables } from '../../domain/job/distinction.ts'
import { type FinalState, isFinished, type Job } from '../../domain/job/job.ts'
import { otherVersionsOf } from '../../domain/job/language-tools.ts'
import { isLeftOut, unmetNotes } from '../../domain/job/machine.ts'
import { counted } from '../../domain/text/counted.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { shortened } from '../../domain/text/shortened.ts'
import { reportsOfJobs } from '../../flow/failures/run-report.ts'
import type { Service } from '../../service/start.ts'
import { redText } from '../../terminal/red-text.ts'
import { waitingReasons } from '../../texts/waiting-reasons.ts'
import { failureLines } from '../failure-lines.ts'
import { shownLog } from '../shown-log.ts'
import { paint } from '../terminal.ts'
import { watch } from '../watch.ts'

const exitCodes: Record<FinalState, number> = { passed: 0, failed: 1, errored: 2, canceled: 2 }

/**
 * A job that was left out, or canceled by an earlier stage, has no separate result: that stage has failed.
 */
function exitCodeOf(job: Ended): number {
  return job.canceled_by_stage || isLeftOut(job) ? 0 : exitCodes[job.state]
}

type Ended = Job & { state: FinalState }

/**
 * Streams the logs of these jobs, prints why waiting jobs wait, and ends with a summary of failures.
 * Returns the exit code of the build.
 */
export async function followJobs(
  { ctx }: Service,
  jobs: readonly Job[],
  stop: AbortSignal,
): Promise<number> {
  const ids = new Set(jobs.map(({ id }) => id))
  const ended = new Map<number, Ended>()
  const reasons = createReasons()
  let shown: number | undefined
  /** Prints the job's name if the previous output came from another job. */
  const head = (job: Job) => {
    if (ids.size > 1 && shown !== job.id) console.log(paint('bold', `— ${nameOf(job, jobs)}`))
    shown = job.id
  }
  await watch(
    ctx.db,
    {
      job(job) {
        if (!ids.has(job.id)) return
        if (job.state === 'started') {
          // Each attempt begins with the name.
          shown = undefined
          head(job)
        }
        if (!isFinished(job)) return
        ended.set(job.id, job)
        const colour = job.state === 'passed' ? 'green' : 'red'
        console.error(paint(colour, `${nameOf(job, jobs)} ${outcomeOf(job)}`))
      },
      waiting(job) {
        if (!ids.has(job.id)) return
        // A run has one machine: no job waits for another one.
        const checks = job.checks.filter(({ rule, passed }) => !passed && rule !== 'machine')
        if (checks.length === 0) return
        const why = waitingReasons({ state: job.state, checks })
        console.error(paint('dim', `${nameOf(job, jobs)}: ${why.join(' ')}`))
      },
      log(job, content) {
        if (!ids.has(job.id)) return
        reasons.read(job.id, content)
        head(job)
        process.stdout.write(shownLog(content))
      },
    },
    () => ended.size === ids.size,
    stop,
  )
  const outcomes = [...ended.values()].toSorted((a, b) => a.id - b.id)
  for (const line of summary(outcomes, reasons)) console.error(line)
  for (const line of await failuresOf(ctx, outcomes)) console.error(line)
  if (outcomes.length > 0 && outcomes.every(isLeftOut)) return exitCodes.canceled
  return Math.max(0, ...outcomes.filter(counts(jobs.length)).map(exitCodeOf))
}

/** A single job counts even if it is allowed to fail: its outcome was requested. */
const counts = (all: number) => (job: Job) => !job.allow_failure || all === 1

/** `job 1.2 (node 20, DB=pg)`: a job's number, and what distinguishes it from the other jobs that run. */
function nameOf(job: Job, jobs: readonly Job[]): string {
  const parts = [distinctionOf(job), job.name === null ? ownVariables(job, jobs) : '']
  const known = shortened(visible(parts.filter(Boolean).join(', ')), longestName)
  return `job ${job.number}${known === '' ? '' : ` (${known})`}`
}

const longestName = 80

function outcomeOf(job: Job): string {
  const { state, allow_failure, canceled_by_stage } = job
  if (isLeftOut(job)) return `left out: ${job.unmet}`
  if (canceled_by_stage) return `${state}, because an earlier stage did not pass`
  return `${state}${allow_failure && state !== 'passed' ? ' (allowed to fail)' : ''}`
}

/** The number of passed jobs, and for each other job its origin and its failures. */
function summary(jobs: readonly Job[], reasons: Reasons): string[] {
  const bad = jobs.filter(({ state }) => state !== 'passed')
  const whys = (job: Job) => reasons.of(job.id).map((reason) => `  ${reason}`)
  const others = jobs.filter(({ found_version }) => found_version !== null).length
  const versions = others === 0 ? [] : [paint('yellow', otherVersionsOf(others, jobs.length))]
  // The outcome of a single job has just been printed.
  if (jobs.length === 1) return [...versions, ...bad.flatMap(whys)]
  const colour = bad.length === 0 ? 'green' : 'red'
  return [
    paint(colour, `${jobs.length - bad.length} of ${jobs.length} jobs passed`),
    ...unmetNotes(jobs.length, jobs).map((note) => paint('yellow', note)),
    ...versions,
    ...alike(bad, whys).flatMap(([jobsAlike, why]) => [
      ...jobsAlike.map((job) => {
        const line = job.origin.line === null ? '' : `, .service.yml:${job.origin.line}`
        return paint('red', `${nameOf(job, jobs)} ${outcomeOf(job)}${line}`)
      }),
      ...why,
    ]),
  ]
}

/** Why jobs failed, as far as known from their logs. */
async function failuresOf(ctx: Service['ctx'], jobs: readonly Ended[]): Promise<string[]> {
  const ids = jobs.map(({ id }) => id)
  const reports = await reportsOfJobs(ctx, ids)
  const linesOf = (job: Ended) => {
    const report = reports.get(job.id)
    return report?.failure && !isPrinted(report.failure)
      ? failureLines('', report, earlierRuns)
      : []
  }
  return alike(jobs, linesOf).flatMap(([[first, ...others], [ending, ...lines]]) => {
    if (first === undefined || ending === undefined) return []
    const more = others.length === 0 ? '' : ` and ${counted(others.length, 'more job')}`
    return [`${nameOf(first, jobs)}${more}${ending}`, ...lines]
  })
}

/** Jobs of this command are compared with runs that earlier commands have kept. */
const earlierRuns = (compared: readonly unknown[]) => counted(compared.length, 'earlier run')

/** Whether a failure has no more than the last lines of the output, or what the service itself said. */
function isPrinted({ basis, command }: Failure): boolean {
  return basis === 'nothing_new' || (basis === 'limit' && command === null)
}

/** Groups jobs with equal lines, so that each text is printed once. */
function alike<T>(
  jobs: readonly T[],
  linesOf: (job: T) => readonly string[],
): [jobs: T[], lines: string[]][] {
  const groups = grouped(jobs, (job) => linesOf(job).join('\n'))
  return [...groups].map(([text, group]) => [group, text === '' ? [] : text.split('\n')])
}

/** The reasons for failures in the logs of jobs. */
interface Reasons {
  read(jobId: number, content: string): void
  of(jobId: number): string[]
}

const longestLine = 10_000
const most = 5

/** Collects the lines that the service itself writes in red: the commands that failed, and limits. */
function createReasons(): Reasons {
  const jobs = new Map<number, { rest: string; found: string[] }>()
  return {
    read(jobId, content) {
      const { rest = '', found = [] } = jobs.get(jobId) ?? {}
      const lines = (rest + content).split('\n')
      const last = lines.pop() ?? ''
      found.push(...lines.flatMap((line) => reasonIn(line) ?? []))
      jobs.set(jobId, { rest: last.slice(-longestLine), found: found.slice(-most) })
    },
    of: (jobId) => jobs.get(jobId)?.found ?? [],
  }
}

function reasonIn(line: string): string | undefined {
  const text = redText(line)
  return text === undefined ? undefined : visible(text)
}
