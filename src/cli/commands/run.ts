import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { notify } from '../../codehost/local/notify.ts'
import { addRepository } from '../../codehost/local/register.ts'
import { type Config, readConfig } from '../../config/config.ts'
import { type FinalState, isFinished, type Job } from '../../domain/job.ts'
import { cancelJob } from '../../flow/cancel-job.ts'
import { findSource } from '../../flow/find-source.ts'
import { prepareJob } from '../../flow/prepare-job.ts'
import { registerRepository } from '../../flow/register-repository.ts'
import { type Service, startService } from '../../service/start.ts'
import { findBuildOfRequest } from '../../store/builds.ts'
import { jobsOfBuild } from '../../store/jobs.ts'
import { UsageError } from '../explain.ts'
import { copyRepository } from '../git-copy.ts'
import { deliverTo } from '../local.ts'
import { createLog } from '../log.ts'
import { paint, shownLog } from '../terminal.ts'
import { watch } from '../watch.ts'

interface Options {
  head?: boolean
  job?: string
  printScript?: boolean
}

const exitCodes: Record<FinalState, number> = { passed: 0, failed: 1, errored: 2, canceled: 2 }

/** Builds a repository once, through the very same flow as on a server, in a folder of its own. */
export async function run(folder: string, options: Options): Promise<void> {
  const workspace = await mkdtemp(path.join(tmpdir(), 'build-service-run-'))
  await chmod(workspace, 0o711)
  const tidy = () => rm(workspace, { recursive: true, force: true })
  try {
    process.exitCode = await runIn(workspace, folder, options)
  } finally {
    await tidy()
  }
}

async function runIn(workspace: string, folder: string, options: Options): Promise<number> {
  const { repository, what } = await copyRepository(folder, workspace, {
    headOnly: options.head === true,
  })
  console.error(paint('dim', `building the ${what} of ${path.resolve(folder)}`))
  const config = settingsFor(path.join(workspace, 'data'))
  const log = createLog(config)
  const service = await startService({ ...config, roles: ['web', 'worker'] }, { log })
  try {
    const jobs = await planned(service, repository)
    if (!jobs) return 2
    const wanted = options.job === undefined ? jobs : [nthOf(jobs, options.job)]
    if (options.printScript) return await printScripts(service, wanted)

    for (const job of jobs) if (!wanted.includes(job)) await cancelJob(service.ctx, job.id)
    const runner = await startService({ ...config, roles: ['runner'] }, { log })
    const stop = () => void runner.stop().then(() => process.exit(130))
    process.once('SIGINT', stop)
    try {
      return await follow(service, wanted)
    } finally {
      process.off('SIGINT', stop)
      await runner.stop()
    }
  } finally {
    await service.stop()
  }
}

/** One job after the other, so that their logs do not mix; nothing of an installation is used. */
function settingsFor(dataDir: string): Config {
  const { LOG_LEVEL = 'error', JOB_MINUTES, SILENCE_MINUTES, LOG_LIMIT } = process.env
  return readConfig({
    ...{ LOG_LEVEL, JOB_MINUTES, SILENCE_MINUTES, LOG_LIMIT },
    ...{ DATA_DIR: dataDir, PORT: '0', RUNNER_SLOTS: '1' },
  })
}

/** Pushes the repository through the local code host, and waits for the jobs that come of it. */
async function planned(
  { ctx, local, localUrl }: Service,
  repository: string,
): Promise<Job[] | undefined> {
  const facts = await addRepository(local, repository, { build: true })
  await registerRepository(ctx, facts, { codehost_id: 1, login: local.owner })
  await notify(local, facts, deliverTo(localUrl, ctx.sealer))

  let jobs: Job[] | undefined
  let decided = false
  let tellBuild: Promise<void> | undefined
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
        tellBuild = findBuildOfRequest(ctx.db, request.id).then(async (build) => {
          if (build) jobs = await jobsOfBuild(ctx.db, build.id)
          decided = true
        })
      },
    },
    async () => {
      await tellBuild
      return decided
    },
  )
  return jobs
}

function nthOf(jobs: readonly Job[], written: string): Job {
  const job = jobs[Number(written) - 1]
  if (job) return job
  throw new UsageError(`there is no job ${written}: the build has ${jobs.length} jobs, from 1`)
}

async function printScripts({ ctx }: Service, jobs: readonly Job[]): Promise<number> {
  for (const job of jobs) {
    const { clone, script } = await prepareJob(ctx, job, await findSource(ctx, job))
    console.log(`# job ${job.number}: checkout\n${clone}\n# job ${job.number}: build\n${script}`)
  }
  return 0
}

/** Streams the logs of these jobs, and answers the exit code that they make. */
async function follow({ ctx }: Service, jobs: readonly Job[]): Promise<number> {
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
  )
  const outcomes = jobs
    .filter(({ allow_failure }) => !allow_failure || jobs.length === 1)
    .map(({ id }) => exitCodes[ended.get(id) ?? 'errored'])
  return Math.max(0, ...outcomes)
}
