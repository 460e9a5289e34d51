import path from 'node:path'
import { notify } from '../../codehost/local/notify.ts'
import { addRepository } from '../../codehost/local/register.ts'
import { type Config, readConfig } from '../../config/config.ts'
import { type FinalState, isFinished, type Job } from '../../domain/job.ts'
import type { Request } from '../../domain/request.ts'
import { cancelJob } from '../../flow/cancel-job.ts'
import { findSource } from '../../flow/find-source.ts'
import { prepareJob } from '../../flow/prepare-job.ts'
import { registerRepository } from '../../flow/register-repository.ts'
import { deliverTo } from '../../service/local-changes.ts'
import { type Service, startService } from '../../service/start.ts'
import { findBuildOfRequest } from '../../store/builds.ts'
import { jobsOfBuild } from '../../store/jobs.ts'
import { UsageError } from '../explain.ts'
import { copyRepository } from '../git-copy.ts'
import { createLog } from '../log.ts'
import { shownLog } from '../shown-log.ts'
import { endAs, stopSignal } from '../signals.ts'
import { dataIn, inTemporaryFolder } from '../temporary-folder.ts'
import { paint } from '../terminal.ts'
import { watch } from '../watch.ts'

interface RunOptions {
  head?: boolean
  job?: string
  printScript?: boolean
}

const exitCodes: Record<FinalState, number> = { passed: 0, failed: 1, errored: 2, canceled: 2 }

/** Builds a repository once, through the same flow as on a server, in a temporary folder. */
export async function run(folder: string, options: RunOptions): Promise<void> {
  if (options.job !== undefined && !/^[1-9]\d*$/.test(options.job)) {
    throw new UsageError(`there is no job ${options.job}: give a number, the first job is 1`)
  }
  const stop = stopSignal(() => console.error('stopping …'))
  await endAs(stop, () =>
    inTemporaryFolder('run', (workspace) => runIn(workspace, folder, options, stop)),
  )
}

async function runIn(
  workspace: string,
  folder: string,
  options: RunOptions,
  stop: AbortSignal,
): Promise<number> {
  const { repository, description } = await copyRepository(folder, workspace, {
    headOnly: options.head === true,
  })
  console.error(paint('dim', `building the ${description} of ${path.resolve(folder)}`))
  const config = settingsFor(dataIn(workspace))
  const log = createLog(config)
  const service = await startService({ ...config, roles: ['web', 'worker'] }, { log })
  try {
    stop.throwIfAborted()
    const jobs = await pushAndDecide(service, repository, stop)
    if (!jobs) return 2
    const selected = options.job === undefined ? jobs : [jobByNumber(jobs, options.job)]
    if (options.printScript) return await printScripts(service, selected)

    for (const job of jobs) if (!selected.includes(job)) await cancelJob(service.ctx, job.id)
    const runner = await startService({ ...config, roles: ['runner'] }, { log })
    try {
      return await follow(service, selected, stop)
    } finally {
      await runner.stop()
    }
  } finally {
    await service.stop()
  }
}

/** One job at a time, so that logs do not mix; no data of an installation is used. */
function settingsFor(dataDir: string): Config {
  const { LOG_LEVEL = 'error', JOB_MINUTES, SILENCE_MINUTES, LOG_LIMIT } = process.env
  return readConfig({
    LOG_LEVEL,
    JOB_MINUTES,
    SILENCE_MINUTES,
    LOG_LIMIT,
    DATA_DIR: dataDir,
    PORT: '0',
    RUNNER_SLOTS: '1',
  })
}

/** Pushes the repository through the local code host, and returns its jobs; undefined without a build. */
async function pushAndDecide(
  { ctx, local, localUrl }: Service,
  repository: string,
  stop: AbortSignal,
): Promise<Job[] | undefined> {
  const facts = await addRepository(local, repository, { build: true })
  await registerRepository(ctx, facts, { codehost_id: 1, login: local.owner })
  await notify(local, facts, deliverTo(localUrl, ctx.sealer))

  let decided: Request | undefined
  await watch(
    ctx.db,
    {
      request(request, messages) {
        for (const { level, text, src, line } of messages) {
          console.error(
            `${paint('yellow', level)} ${src}${line === null ? '' : `:${line}`} ${text}`,
          )
        }
        if (request.message) console.error(`not built: ${request.message}`)
        decided = request
      },
    },
    () => decided !== undefined,
    stop,
  )
  const build = decided && (await findBuildOfRequest(ctx.db, decided.id))
  return build && jobsOfBuild(ctx.db, build.id)
}

function jobByNumber(jobs: readonly Job[], written: string): Job {
  const job = jobs[Number(written) - 1]
  if (job) return job
  const has = jobs.length === 1 ? 'only job 1' : `jobs 1 to ${jobs.length}`
  throw new UsageError(`there is no job ${written}: the build has ${has}`)
}

async function printScripts({ ctx }: Service, jobs: readonly Job[]): Promise<number> {
  for (const job of jobs) {
    const { clone, script } = await prepareJob(ctx, job, await findSource(ctx, job))
    console.log(`# job ${job.number}: checkout\n${clone}\n# job ${job.number}: build\n${script}`)
  }
  return 0
}

/** Streams the logs of these jobs, and returns their exit code. */
async function follow({ ctx }: Service, jobs: readonly Job[], stop: AbortSignal): Promise<number> {
  const ids = new Set(jobs.map(({ id }) => id))
  const ended = new Map<number, FinalState>()
  await watch(
    ctx.db,
    {
      job(job) {
        if (!ids.has(job.id)) return
        if (job.state === 'started' && ids.size > 1)
          console.log(paint('bold', `— job ${job.number}`))
        if (!isFinished(job)) return
        ended.set(job.id, job.state)
        const colour = job.state === 'passed' ? 'green' : 'red'
        const excused = job.allow_failure && job.state !== 'passed' ? ' (allowed to fail)' : ''
        console.error(paint(colour, `job ${job.number} ${job.state}${excused}`))
      },
      log(job, content) {
        if (ids.has(job.id)) process.stdout.write(shownLog(content))
      },
    },
    () => ended.size === ids.size,
    stop,
  )
  const outcomes = jobs
    .filter(({ allow_failure }) => !allow_failure || jobs.length === 1)
    .map(({ id }) => exitCodes[ended.get(id) ?? 'errored'])
  return Math.max(0, ...outcomes)
}
