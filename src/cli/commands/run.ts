import { notify } from '../../codehost/local/hooks/notify.ts'
import { addRepository } from '../../codehost/local/register.ts'
import { type Config, engineOf, readConfig } from '../../config/config.ts'
import type { Job } from '../../domain/job/job.ts'
import { adviceOn, otherBuildFile } from '../../domain/request/other-build-files.ts'
import type { Request } from '../../domain/request/request.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { buildFilePath } from '../../flow/build-file/config-read.ts'
import { runOnly } from '../../flow/builds/cancel-build.ts'
import { findSource, prepareJob } from '../../flow/jobs/prepare-job.ts'
import { registerRepository } from '../../flow/repositories/register-repository.ts'
import { readJobSecrets } from '../../flow/secrets/job-secrets.ts'
import { deliverTo } from '../../service/local/local-changes.ts'
import { type Service, startService } from '../../service/start.ts'
import { findBuildOfRequest } from '../../store/builds/builds.ts'
import { findJobToRun } from '../../store/jobs/jobs-to-run.ts'
import { jobsOfBuild } from '../../store/jobs/jobs.ts'
import { UsageError } from '../errors.ts'
import { copyRepository } from '../git-copy.ts'
import { createLog } from '../log.ts'
import { callerTools } from '../run/caller-tools.ts'
import { followJobs } from '../run/follow-jobs.ts'
import { type KeptRuns, keptRunsOf } from '../run/kept-runs.ts'
import { endAs, stopSignal } from '../signals.ts'
import { dataIn, inTemporaryFolder } from '../temporary-folder.ts'
import { paint } from '../terminal.ts'
import { watch } from '../watch.ts'

interface RunOptions {
  head?: boolean
  job?: string
  printScript?: boolean
  otherMachines?: string
  docker?: boolean
}

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
  const { repository, root, branch, description, names } = await copyRepository(folder, workspace, {
    headOnly: options.head === true,
  })
  // Checked before anything is started, because starting takes a while.
  if (!names.includes(buildFilePath)) {
    console.error(withoutBuildFile(names))
    return 2
  }
  console.error(paint('dim', `building the ${description} of ${visible(root)}`))
  const config = settingsFor(dataIn(workspace), options)
  const log = createLog(config)
  console.error(paint('dim', 'starting a service in a temporary folder'))
  const service = await startService({ ...config, roles: ['web', 'worker'] }, { log })
  try {
    stop.throwIfAborted()
    const jobs = await pushAndDecide(service, repository, stop)
    if (!jobs) return 2
    const wanted = options.job === undefined ? undefined : jobByNumber(jobs, options.job)
    const selected = wanted ? [wanted] : jobs
    if (options.printScript) return await printScripts(service, selected)

    if (wanted) await runOnly(service.ctx, wanted)
    const kept = keptRunsOf(root, process.env)
    await kept.restore(service.ctx.db, selected, branch)
    console.error(paint('dim', startingText(selected.length, jobs.length)))
    const runner = await startService({ ...config, roles: ['runner'] }, { log, say })
    printProbe(runner)
    try {
      return await followJobs(service, selected, stop)
    } finally {
      await runner.stop()
      await keepRuns(kept, service, selected)
    }
  } finally {
    await service.stop()
  }
}

/** The result of a build does not depend on it. */
async function keepRuns(kept: KeptRuns, { ctx }: Service, jobs: readonly Job[]): Promise<void> {
  try {
    await kept.keep(ctx.db, jobs)
  } catch (error) {
    const reason = visible((error as Error).message)
    console.error(paint('yellow', `this run is not kept for later comparisons: ${reason}`))
  }
}

function withoutBuildFile(names: readonly string[]): string {
  const other = otherBuildFile(names)
  const advice = other ? adviceOn(other, buildFilePath) : `add ${buildFilePath}`
  return `not built: no build configuration file: ${advice}`
}

/** Prints how jobs are isolated, and which parts of the caller's machine they do not get. */
function printProbe({ probe }: Service): void {
  if (!probe) return
  console.error(paint('dim', probe.says))
  for (const warning of probe.warnings) console.error(paint('yellow', warning))
}

const say = (line: string) => console.error(paint('dim', line))

function startingText(selected: number, all: number): string {
  const left = all === selected ? '' : `; ${all - selected} left out`
  return `starting a runner for ${selected === 1 ? '1 job' : `${selected} jobs`}${left}`
}

/** One job at a time, so that logs do not mix; no data of an installation is used. */
function settingsFor(dataDir: string, { otherMachines, docker }: RunOptions): Config {
  const { LOG_LEVEL = 'error', LANGUAGE_VERSIONS = 'present', OTHER_MACHINES } = process.env
  const { JOB_MINUTES, SILENCE_MINUTES, LOG_LIMIT, RUNNER_PATH, RUNNER_READ_ONLY } = process.env
  const pathVariable = RUNNER_PATH === undefined ? ('PATH' as const) : ('RUNNER_PATH' as const)
  const config = readConfig({
    ...callerTools(process.env),
    ...(RUNNER_PATH === undefined ? {} : { RUNNER_PATH }),
    ...(RUNNER_READ_ONLY === undefined ? {} : { RUNNER_READ_ONLY }),
    LOG_LEVEL,
    LANGUAGE_VERSIONS,
    OTHER_MACHINES: otherMachines ?? OTHER_MACHINES,
    JOB_MINUTES,
    SILENCE_MINUTES,
    LOG_LIMIT,
    DATA_DIR: dataDir,
    PORT: '0',
    RUNNER_SLOTS: '1',
    // Jobs run one after the other, so no job waits for a limit.
    OWNER_JOBS: '-1',
    ...engineOf(process.env),
    ...(docker ? containerSettings(process.env) : {}),
  })
  return { ...config, pathVariable, machineChoice: '--other-machines ' }
}

/** The parts of a service's settings that apply to containers too. */
function containerSettings(env: NodeJS.ProcessEnv) {
  const { IMAGES, CLONE_IMAGE, JOB_MEMORY, JOB_CPUS, JOB_PIDS, JOB_USER, JOB_NETWORK_ALLOW } = env
  const limits = { JOB_MEMORY, JOB_CPUS, JOB_PIDS, JOB_USER, JOB_NETWORK_ALLOW }
  const { DOCKER_IN_JOBS } = env
  return { EXECUTOR: 'docker', IMAGES, CLONE_IMAGE, DOCKER_IN_JOBS, ...limits }
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
          const where = line === null ? src : `${src}:${line}`
          console.error(`${paint('yellow', level)} ${visible(`${where} ${text}`)}`)
        }
        if (request.message) console.error(`not built: ${visible(request.message)}`)
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
    const run = await findJobToRun(ctx.db, job.id)
    if (!run) throw new Error(`job ${job.id} has lost its build`)
    const source = await findSource(ctx, run)
    const { clone, script } = prepareJob(ctx, run, source, await readJobSecrets(ctx, run))
    console.log(`# job ${job.number}: checkout\n${clone}\n# job ${job.number}: build\n${script}`)
  }
  return 0
}
