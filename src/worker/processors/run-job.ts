import { setTimeout as pause } from 'node:timers/promises'
import { type CloneSource, CodehostError } from '../../codehost/codehost.ts'
import { takesUnapproved } from '../../domain/job/isolation.ts'
import type { Job } from '../../domain/job/job.ts'
import { assumedOf } from '../../domain/job/keys-without-effect.ts'
import type { Loss } from '../../domain/job/loss.ts'
import type { Context } from '../../flow/context.ts'
import { type ExaminedRun, examineRun } from '../../flow/failures/examine-run.ts'
import { type KnownInputs, knownInputs } from '../../flow/failures/run-inputs.ts'
import { findPlace } from '../../flow/jobs/choose-runner.ts'
import {
  claimJob,
  endFormerRun,
  otherMachine,
  type Run,
  noteJobWaiting,
} from '../../flow/jobs/claim-job.ts'
import { failUnfetchedJob, finishJob } from '../../flow/jobs/finish-job.ts'
import { appendLog } from '../../flow/jobs/logs.ts'
import { findSource, type PreparedJob, prepareJob } from '../../flow/jobs/prepare-job.ts'
import { resetJob } from '../../flow/jobs/reset-job.ts'
import { startJob } from '../../flow/jobs/start-job.ts'
import { readJobSecrets } from '../../flow/secrets/job-secrets.ts'
import { Postponed } from '../../queue/work.ts'
import type { JobSpec } from '../../runner/executor.ts'
import { type JobOutcome, runJob } from '../../runner/run-job.ts'
import { type Again, stopped, taken } from '../../runner/verdict.ts'
import { hostsOf } from '../../script/addons/addons.ts'
import { checkoutFolder } from '../../script/checkout.ts'
import { imageRequest } from '../../script/images/choose-image.ts'
import { requestedServices } from '../../script/services/requested-services.ts'
import { findJobToRun, type JobToRun } from '../../store/jobs/jobs-to-run.ts'
import { isUnreachable } from '../../store/sql/unreachable.ts'
import type { Losses } from '../losses.ts'
import type { Processor, RunnerTools, Tools } from '../processor.ts'
import { watchClaim } from '../watch-claim.ts'

/** Seconds for which a resting runner leaves a job to other runners. */
const restSeconds = 5
/** Seconds between two looks whether the former attempt of a restarted job has ended. */
const endSeconds = 1

/** Runs a waiting job, from its first line of log to its final state. */
export const runJobs: Processor<'job.run'> = {
  queue: 'job.run',
  role: 'runner',
  // If there are several runners, a job is left to the first free runner.
  here: { after: 0, ahead: 20, when: ({ runner }) => runner?.isAlone() ?? false },
  attempts: 3,
  pause: 1000,
  concurrency: ({ runner }) => runner?.slots ?? 1,

  async process({ job_id }, tools) {
    const { ctx, runner } = tools
    if (!runner) return
    if (runner.stopping.aborted) throw leftToOthers()
    if (runner.rest.isResting()) throw new Postponed(new Error('this runner rests'), restSeconds)
    const waiting = await findJobToRun(ctx.db, job_id)
    if (waiting?.job.state !== 'queued') return
    if (runner.running.has(job_id) || waiting.former_ends) {
      throw new Postponed(
        new Error('the previous attempt of this job has not ended yet'),
        endSeconds,
      )
    }
    const probe = await runner.executor.probe()
    const place = await findPlace(ctx, waiting, {
      ...runner.machine,
      isolation: probe.isolation,
      queues: runner.queues,
      without_approval: takesUnapproved(ctx.config, probe),
    })
    if (place === 'nowhere') return
    if (place === 'elsewhere') {
      throw new Postponed(new Error('another runner can run the job'), restSeconds)
    }
    // Before the claim, so that an unreachable code host uses up neither an attempt nor a slot.
    const source = await sourceOf(ctx, waiting)
    if (runner.stopping.aborted) throw leftToOthers()
    const other = otherMachine(waiting.job, runner.machine)
    const job = await claimJob(ctx, job_id, runner.id, other)
    if (!job) return

    const run = { job_id: job.id, attempt: job.attempt }
    try {
      if (source instanceof CodehostError) return await failUnfetchedJob(ctx, run, source.message)
      const toRun = { ...waiting, job }
      const { outcome, inputs } = await runClaimed(tools, runner, { toRun, run, source })
      const examined =
        'state' in outcome
          ? await examineRun(ctx, { toRun, run, inputs: withImage(inputs, outcome) }, outcome.state)
          : undefined
      const { stopping } = runner
      await untilReachable(() => recordOutcome(ctx, runner, run, { ...outcome, examined }), {
        log: ctx.log,
        stopping,
      })
    } catch (error) {
      // Any unexpected error: the job must not stay claimed without a run.
      ctx.log.error({ ...run, err: error }, 'job could not be run')
      await resetJob(ctx, run, { kind: 'machine', reason: reasonOf(error) })
      await endFormerRun(ctx, run)
    }
  },
}

/** Postpones an entry that arrives while the runner stops. */
const leftToOthers = () => new Postponed(new Error('this runner stops'), 1)

/** The source to fetch from, or a permanent error. Throws temporary errors. */
async function sourceOf(ctx: Context, waiting: JobToRun): Promise<CloneSource | CodehostError> {
  try {
    return await findSource(ctx, waiting)
  } catch (error) {
    if (!(error instanceof CodehostError)) throw error
    if (!error.temporary) return error
    await noteJobWaiting(ctx, waiting.job.id, error.message)
    throw error
  }
}

async function recordOutcome(
  ctx: Context,
  { rest, losses }: RunnerTools,
  run: Run,
  outcome: JobOutcome & { examined: ExaminedRun | undefined },
): Promise<void> {
  if ('state' in outcome) {
    const ended = await finishJob(ctx, run, outcome.state, outcome)
    if (!ended) await endFormerRun(ctx, run)
    return
  }
  if (outcome.again === taken) return endFormerRun(ctx, run)
  const loss = await lossOf(outcome, losses)
  await resetJob(ctx, run, loss)
  // Not awaited, because a resting runner rests until its machine works.
  if (loss.kind === 'machine') void rest.consider()
}

async function lossOf({ again: reason, running, refused }: Again, losses: Losses): Promise<Loss> {
  if (reason === stopped) return { kind: 'stopped', reason }
  if (refused) return { kind: 'refused', reason }
  if (!running) return { kind: 'machine', reason }
  return { kind: 'gone', reason, others: await losses.others() }
}

interface ClaimedJob {
  toRun: JobToRun
  run: Run
  source: CloneSource
}

async function runClaimed(
  { ctx }: Tools,
  runner: RunnerTools,
  { toRun, run, source }: ClaimedJob,
): Promise<{ outcome: JobOutcome; inputs: KnownInputs }> {
  const { job } = toRun
  const secrets = await readJobSecrets(ctx, toRun)
  const inputs = await knownInputs(ctx, toRun, secrets, runner.id)
  const prepared = prepareJob(ctx, toRun, source, secrets)
  const claim = watchClaim(ctx, run, runner.stopping)
  runner.running.add(job.id)
  try {
    const outcome = await runJob(
      runner.executor,
      {
        spec: specOf(runner, toRun, run, prepared),
        secrets: prepared.secrets,
        mask_nonce: prepared.mask_nonce,
        limits: prepared.limits,
        stopping: runner.stopping,
        heading: prepared.heading,
        worker_info: workerInfo(runner, job),
        started: () => startJob(ctx, job),
        isWatched: () => runner.isWatched(job.id),
        async sink(parts) {
          if (!(await appendLog(ctx, run, parts))) claim.lost()
        },
      },
      claim.signal,
    )
    return { outcome, inputs }
  } finally {
    runner.running.delete(job.id)
    claim.close()
  }
}

const withImage = (
  inputs: KnownInputs,
  { image, image_id }: { image?: string | undefined; image_id?: string | undefined },
): KnownInputs => ({ ...inputs, image: image ?? null, image_id: image_id ?? null })

function specOf(
  { images, jobLimits, dockerInJobs }: RunnerTools,
  { job, from_fork }: JobToRun,
  run: Run,
  { clone, script, ssh_key, inputs, limits, slug, code_host }: PreparedJob,
): JobSpec {
  const image = imageRequest(job.config, { slug, assumed: assumedOf(job), map: images })
  const isAllowed = dockerInJobs.includes(slug.split('/')[0]?.toLowerCase() ?? '')
  const engine = isAllowed && from_fork ? ('fork' as const) : isAllowed
  const services = requestedServices(job.config, { slug, map: images, engine })
  const key = ssh_key === null ? {} : { ssh_key }
  return {
    job_id: job.id,
    run_id: `${run.job_id}-${run.attempt}`,
    steps: [
      { name: 'clone', script: clone, ...key },
      { name: 'job', script, ...key },
    ],
    inputs,
    image: { ...image, checkout: checkoutFolder(slug) },
    services,
    names: hostsOf(job.config),
    limits: jobLimits,
    network: true,
    ...(code_host === null ? {} : { code_host }),
    deadline_seconds: limits.hard_seconds + limits.grace_seconds + 300,
  }
}

function workerInfo({ id, executor, version }: RunnerTools, { attempt }: Job) {
  return { runner: id, version, executor: executor.name, attempt: String(attempt) }
}

function reasonOf(error: unknown): string {
  if (error instanceof CodehostError) return error.message
  return 'internal error of the service; the operator finds it in the log'
}

const milliseconds = 1000

/**
 * Repeats work that failed because the database was unreachable, until it is back or this process stops:
 * otherwise the result of a job that ended meanwhile would be lost.
 */
export async function untilReachable<T>(
  work: () => Promise<T>,
  { log, stopping }: Pick<Context, 'log'> & { stopping: AbortSignal },
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || stopping.aborted) throw error
      log.warn({ err: error }, 'the database cannot be reached: the result of a job is kept')
      await pause(milliseconds)
    }
  }
}
