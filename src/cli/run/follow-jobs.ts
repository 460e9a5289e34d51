import { type FinalState, isFinished, type Job } from '../../domain/job/job.ts'
import { visible } from '../../domain/visible.ts'
import { waitingReasons } from '../../http/waiting-reasons.ts'
import type { Service } from '../../service/start.ts'
import { shownLog } from '../shown-log.ts'
import { paint } from '../terminal.ts'
import { watch } from '../watch.ts'
import { createReasons, type Reasons } from './reasons.ts'

const exitCodes: Record<FinalState, number> = { passed: 0, failed: 1, errored: 2, canceled: 2 }

/** A job that an earlier stage canceled says nothing of its own: that stage has failed. */
function exitCodeOf({ state, canceled_by_stage }: Ended): number {
  return canceled_by_stage ? 0 : exitCodes[state]
}

type Ended = Job & { state: FinalState }

/**
 * Streams the logs of these jobs, says what the others wait for, and ends with what failed where.
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
  await watch(
    ctx.db,
    {
      job(job) {
        if (!ids.has(job.id)) return
        if (job.state === 'started' && ids.size > 1) console.log(paint('bold', `— ${nameOf(job)}`))
        if (!isFinished(job)) return
        ended.set(job.id, job)
        const colour = job.state === 'passed' ? 'green' : 'red'
        console.error(paint(colour, `${nameOf(job)} ${outcomeOf(job)}`))
      },
      waiting(job) {
        if (!ids.has(job.id)) return
        console.error(paint('dim', `${nameOf(job)}: ${waitingReasons(job).join(' ')}`))
      },
      log(job, content) {
        if (!ids.has(job.id)) return
        reasons.read(job.id, content)
        process.stdout.write(shownLog(content))
      },
    },
    () => ended.size === ids.size,
    stop,
  )
  const outcomes = [...ended.values()].toSorted((a, b) => a.id - b.id)
  for (const line of summary(outcomes, reasons)) console.error(line)
  return Math.max(0, ...outcomes.filter(counts(jobs.length)).map(exitCodeOf))
}

/** A single job counts, even if it may fail: its outcome is what was asked for. */
const counts = (all: number) => (job: Job) => !job.allow_failure || all === 1

function nameOf({ number, name }: Job): string {
  return `job ${number}${name === null ? '' : ` (${visible(name)})`}`
}

function outcomeOf({ state, allow_failure, canceled_by_stage }: Job): string {
  if (canceled_by_stage) return `${state}, since an earlier stage did not pass`
  return `${state}${allow_failure && state !== 'passed' ? ' (allowed to fail)' : ''}`
}

/** How many passed, and of each other one where it comes from and what failed. */
function summary(jobs: readonly Job[], reasons: Reasons): string[] {
  const bad = jobs.filter(({ state }) => state !== 'passed')
  const whys = (job: Job) => reasons.of(job.id).map((reason) => `  ${reason}`)
  // The outcome of a single job has just been printed.
  if (jobs.length === 1) return bad.flatMap(whys)
  const colour = bad.length === 0 ? 'green' : 'red'
  return [
    paint(colour, `${jobs.length - bad.length} of ${jobs.length} jobs passed`),
    ...bad.flatMap((job) => {
      const line = job.origin.line === null ? '' : `, .service.yml:${job.origin.line}`
      return [paint('red', `${nameOf(job)} ${outcomeOf(job)}${line}`), ...whys(job)]
    }),
  ]
}
