import { constants } from 'node:os'
import { type Exit, type JobSpec, type Running, StartError, type Step } from '../../executor.ts'
import { cloneExit } from '../clone-exit.ts'
import { bringInputs, removeInputs } from '../inputs.ts'
import { createOutput } from '../output.ts'
import { watchDisk } from './disk-watch.ts'
import { coveredAt, type Launch } from './launch.ts'
import type { Way } from './level.ts'
import { managerSecrets } from './manager-secrets.ts'
import { checkUnmoved, type Hidden } from './masked-paths.ts'
import { type StepEnd, type StepProcess, startStep } from './step-process.ts'
import { noTools, type Tools } from './tools.ts'
import { removeScript, stepFolder, type Workspace, writeScript } from './workspace.ts'

const mostProcesses = 1024

export type ProcessRun = Pick<Running, 'output' | 'wait' | 'terminate' | 'kill'>

/** The service's own log, reduced to the method that an executor needs. */
export interface RunLog {
  warn(data: object, message: string): void
}

export interface RunOptions {
  way: Way
  workspace: Workspace
  hidden: Hidden
  tools: Tools
  spec: JobSpec
  log: RunLog
  /** Milliseconds between two looks at the disk that the job takes. */
  diskEvery: number
}

/** Starts the first step, then the others in turn. Throws the same errors as an executor's `start`. */
export async function startRun(
  { way, workspace, hidden, tools, spec, log, diskEvery }: RunOptions,
  signal: AbortSignal,
): Promise<ProcessRun> {
  const output = createOutput()
  const ending = new AbortController()
  const isEnding = () => ending.signal.aborted
  let current: StepProcess | undefined
  let isFull = false

  async function clear(step: StepProcess): Promise<void> {
    if (await step.clear()) return
    log.warn({ job_id: spec.job_id, run_id: spec.run_id }, 'processes of a job could not be killed')
  }

  async function begin(step: Step, until: AbortSignal): Promise<StepProcess> {
    await checkUnmoved(hidden, coveredAt(way, hidden))
    const launch = {
      ...(await prepare(workspace, spec, step, until)),
      ...(await given(step)),
      hidden,
    }
    const started = await startStep(way, launch)
    const stop = () => void clear(started)
    until.addEventListener('abort', stop)
    if (until.aborted) stop()
    const up = await started.up
    until.removeEventListener('abort', stop)
    if (up && !until.aborted) return started

    await clear(started)
    started.output.destroy()
    until.throwIfAborted()
    throw new StartError('machine', `the machine could not be set up: ${started.complaint()}`)
  }

  /** The tools of a step, without folders that hold too much to be searched for secrets. */
  async function given(step: Step): Promise<Pick<Launch, 'tools' | 'secrets'>> {
    const all = step.name === 'clone' ? noTools : tools
    if (way.level !== 'sandbox') return { tools: all, secrets: [] }
    const { files, unsearched } = await managerSecrets(all.shown)
    for (const folder of unsearched) {
      log.warn(
        { job_id: spec.job_id, folder },
        'folder has too many to be searched for secrets, so jobs do not see it',
      )
    }
    const shown = all.shown.filter(({ at }) => !unsearched.includes(at))
    return { tools: { ...all, shown }, secrets: files }
  }

  async function finish(step: Step, running: StepProcess): Promise<Exit> {
    current = running
    output.add(running.output)
    if (isEnding() || isFull) await clear(running)
    const end = await running.ended
    await clear(running)
    await output.drain(running.output)
    current = undefined
    await tidy(step)
    if (isEnding()) return { kind: 'killed' }
    return isFull ? { kind: 'out_of_disk' } : exitOf(way, step, end)
  }

  /**
   * If a job's own commands leave files that cannot be removed, the machine is not to blame. After the fetch of
   * the commit, the next step must not find them; a run that has ended has no next step.
   */
  async function tidy(step: Step): Promise<void> {
    try {
      await removeScript(workspace, step)
      if (step.name === 'clone') await removeInputs(workspace)
    } catch (error) {
      if (step.name === 'clone' && !isFull && !isEnding()) throw error
      const { job_id, run_id } = spec
      log.warn({ err: error, job_id, run_id }, 'script of a job was not removed')
    }
  }

  const [firstStep, ...otherSteps] = spec.steps
  const first = await begin(firstStep, signal)

  const { disk_bytes: limit } = spec.limits
  const stopWatch =
    limit === undefined
      ? undefined
      : watchDisk(workspace.folder, {
          limit,
          every: diskEvery,
          exceeded() {
            isFull = true
            if (current) void clear(current)
          },
        })

  async function follow(): Promise<Exit> {
    let exit = await finish(firstStep, first)
    for (const step of otherSteps) {
      if (exit.kind !== 'exited' || exit.code !== 0) return exit
      exit = await finish(step, await begin(step, ending.signal))
    }
    return exit
  }

  const over = follow()
    .catch((error: Error): Exit =>
      isEnding() ? { kind: 'killed' } : { kind: 'lost', why: error.message },
    )
    .finally(() => {
      stopWatch?.()
      output.end()
    })

  return {
    output: output.bytes,
    wait: () => over,
    async terminate() {
      ending.abort()
      await current?.terminate()
    },
    async kill() {
      ending.abort()
      output.drop()
      if (current) await clear(current)
      await over
    },
  }
}

async function prepare(
  workspace: Workspace,
  spec: JobSpec,
  step: Step,
  signal: AbortSignal,
): Promise<Omit<Launch, 'hidden' | 'tools' | 'secrets'>> {
  const with_inputs = step.name === 'clone' && spec.inputs.length > 0
  if (with_inputs) await bringInputs(workspace, spec.inputs, signal)
  await writeScript(workspace, step)
  return {
    workspace,
    job_id: spec.job_id,
    step_folder: stepFolder(workspace, step),
    with_inputs,
    ssh_key: step.ssh_key,
    network: spec.network,
    processes: spec.limits.processes ?? mostProcesses,
  }
}

function exitOf({ level }: Way, step: Step, { code, signal }: StepEnd): Exit {
  const ofClone = cloneExit(step, code)
  if (ofClone) return ofClone
  if (code !== null) return { kind: 'exited', code }
  // From inside a namespace nothing can kill the outermost process.
  if (level !== 'none') {
    const why = `the job's machine was ended by ${signal}`
    return { kind: 'lost', why, ...(step.name === 'job' && { running: true }) }
  }
  return { kind: 'exited', code: 128 + (signal ? constants.signals[signal] : 0) }
}
