import { hostname } from 'node:os'
import type { Config } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import { takesUnapproved, waitsForIsolation } from '../../domain/job/isolation.ts'
import { machineOf } from '../../domain/job/machine.ts'
import type { Context } from '../../flow/context.ts'
import { reclaimOwnJobs } from '../../flow/jobs/reclaim-jobs.ts'
import type { JobSpec, Probe } from '../../runner/executor.ts'
import { placesOfObjects } from '../../store/jobs/log-objects.ts'
import {
  beat,
  liveRunners,
  markStopped,
  registerRunner,
  setWithoutApproval,
} from '../../store/jobs/runners.ts'
import { createLosses } from '../../worker/losses.ts'
import type { RunnerTools } from '../../worker/processor.ts'
import { createRest } from '../../worker/rest.ts'
import { holdsJobs, unsafeForks } from '../holds-jobs.ts'
import { readVersion } from '../version.ts'
import { openExecutor, readImages } from './open-executor.ts'
import { releaseRunnerId, runnerId } from './runner-id.ts'

export interface OpenRunner {
  tools: RunnerTools
  probe: Probe
  /** Releases running jobs. Must be called before the workers are closed, because they wait for the jobs. */
  stop(): void
  close(): Promise<void>
}

const heartbeatEvery = 15_000
const reapEvery = 10 * 60_000

/** Warns that jobs of the code host wait here, at start or as soon as there is an app. */
export function warnIfJobsWait(
  { log }: Pick<Context, 'log'>,
  config: Pick<Config, 'appId' | 'jobsWithoutIsolation'>,
  probe: Pick<Probe, 'isolation'>,
): void {
  if (holdsJobs(config, probe)) log.warn(waitsForIsolation)
}

interface RunnerHelpers extends Pick<RunnerTools, 'isWatched'> {
  /** Takes lines about slow work. */
  say(line: string): void
}

/** Makes this process a runner: probes its ways of running jobs, and cleans up after an earlier process. */
export async function openRunner(
  ctx: Context,
  config: Config,
  { say, isWatched }: RunnerHelpers,
): Promise<OpenRunner> {
  const id = await runnerId(config.dataDir)
  const machine = machineOf(process.platform, process.arch)
  const images = readImages(config)
  const places = await placesOfObjects(ctx.db)
  const executor = openExecutor(config, { runnerId: id, log: ctx.log, places, say })
  const probe = await executor.probe()
  if (!probe.ok) throw new SetupError(`jobs cannot be run on this machine: ${probe.says}`)
  for (const warning of probe.warnings) ctx.log.warn(warning)
  warnIfJobsWait(ctx, config, probe)
  const unsafe = unsafeForks(config, probe)
  if (unsafe !== undefined) throw new SetupError(unsafe)

  await executor.reap(id)
  await reclaimOwnJobs(ctx, id)
  await registerRunner(ctx.db, {
    id,
    version: readVersion(),
    host: hostname(),
    executor: executor.name,
    isolation: probe.isolation,
    queues: config.runnerQueues === undefined ? null : [...config.runnerQueues],
    without_approval: takesUnapproved(config, probe),
    slots: config.runnerSlots,
    ...machine,
  })

  let live = await liveRunners(ctx.db)
  const timer = setInterval(() => {
    heartbeat().catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'heartbeat of the runner could not be stored')
    })
  }, heartbeatEvery)
  async function heartbeat(): Promise<void> {
    await beat(ctx.db, id)
    live = await liveRunners(ctx.db)
    if (config.forkApproval === 'always') return
    // The engine may have been restarted with another configuration.
    const taken = takesUnapproved(config, await executor.probe())
    await setWithoutApproval(ctx.db, id, taken)
  }
  const reaping = setInterval(() => {
    executor.reap(id).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the search for leftovers of jobs failed')
    })
  }, reapEvery)
  const stopping = new AbortController()
  const rest = createRest({ ctx, id, executor, stopping: stopping.signal })
  return {
    probe,
    tools: {
      id,
      executor,
      images,
      dockerInJobs: config.dockerInJobs,
      queues: config.runnerQueues ?? null,
      jobLimits: jobLimitsOf(config),
      machine,
      version: readVersion(),
      rest,
      slots: config.runnerSlots,
      stopping: stopping.signal,
      isAlone: () => live.every((runner) => runner.id === id),
      losses: createLosses(),
      running: new Set(),
      isWatched,
    },
    stop: () => stopping.abort(),
    async close() {
      clearInterval(timer)
      clearInterval(reaping)
      await markStopped(ctx.db, id).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'the end of the runner could not be stored')
      })
      await executor.close()
      await releaseRunnerId(id)
    },
  }
}

function jobLimitsOf({ jobPids, jobMemory, jobDisk, jobCpus }: Config): JobSpec['limits'] {
  return {
    processes: jobPids,
    ...(jobMemory === undefined ? {} : { memory_bytes: jobMemory }),
    ...(jobDisk === undefined ? {} : { disk_bytes: jobDisk }),
    ...(jobCpus === undefined ? {} : { cpus: jobCpus }),
  }
}
