import { rmdir } from 'node:fs/promises'
import { type Executor, type JobSpec, type Running, StartError } from '../../executor.ts'
import { isAttempt, tryOut } from './attempt.ts'
import { createJobUsers, type JobUser } from './job-user.ts'
import { levels as allLevels, type Level, type Way } from './level.ts'
import { findPlace, type Place } from './place.ts'
import { type Found, nothingWorks, probeLevels } from './probe.ts'
import { killAll } from './processes.ts'
import { type Log, type Run, startRun } from './run.ts'
import {
  checkId,
  findWorkspaces,
  openWorkspace,
  removeWorkspace,
  type Workspace,
} from './workspace.ts'

export interface ProcessOptions {
  /** Every run has a folder below this one while it lasts. */
  workDir: string
  /** Letters, digits, `.`, `_` and `-`. No two runners of this machine have the same. */
  runnerId: string
  log?: Log
  /** The levels that may be used: for tests, and for who wants no job rather than a bad one. */
  levels?: readonly Level[]
  /** False: jobs write into a pipe, as where `script` of util-linux is missing. */
  terminal?: boolean
}

type Machine = Found & { place?: Place }

/** Runs jobs as processes of this machine, as isolated as the machine allows. */
export function createProcessExecutor(options: ProcessOptions): Executor {
  const { workDir, runnerId, log = { warn() {} } } = options
  const { levels = allLevels, terminal = true } = options
  const users = createJobUsers()
  const live = new Set<Running>()
  /** Folders that are in use, so that `reap` leaves them alone. */
  const names = new Set<string>()
  let machine: Promise<Machine> | undefined
  checkId(runnerId)

  const look = () => (machine ??= lookAround())

  async function lookAround(): Promise<Machine> {
    try {
      const place = await findPlace(workDir)
      const found = await probeLevels({ levels, terminal }, (way) =>
        tryOut(way, (spec, signal) => begin(place, way, spec, signal)),
      )
      const warnings = [...(place.warning ? [place.warning] : []), ...found.probe.warnings]
      return { ...found, probe: { ...found.probe, warnings }, place }
    } catch (error) {
      return { probe: nothingWorks((error as Error).message) }
    }
  }

  async function begin(
    place: Place,
    way: Way,
    spec: JobSpec,
    signal: AbortSignal,
  ): Promise<Running> {
    const name = [runnerId, spec.job_id, checkId(spec.run_id)].join('+')
    let user: JobUser | undefined
    let workspace: Workspace | undefined
    names.add(name)
    try {
      user = users.take()
      workspace = await openWorkspace(place.folder, name, user)
      const run = await startRun({ way, workspace, spec, log }, signal)
      return track(run, workspace)
    } catch (error) {
      await release(name, workspace)
      users.giveBack(user)
      signal.throwIfAborted()
      if (error instanceof StartError) throw error
      throw new StartError('machine', (error as Error).message, { cause: error })
    }
  }

  function track(run: Run, workspace: Workspace): Running {
    let disposed: Promise<void> | undefined
    const running = { ...run, dispose: () => (disposed ??= dispose()) }
    async function dispose(): Promise<void> {
      await run.kill()
      await release(workspace.name, workspace)
      users.giveBack(workspace.user)
      live.delete(running)
    }
    live.add(running)
    return running
  }

  async function release(name: string, workspace: Workspace | undefined): Promise<void> {
    try {
      if (workspace) await removeWorkspace(workspace)
    } catch (error) {
      log.warn({ err: error, folder: workspace?.folder }, 'workspace of a job was not removed')
    }
    names.delete(name)
  }

  return {
    name: 'process',

    async probe() {
      const { probe } = await look()
      return probe
    },

    async start(spec, signal) {
      const { probe, place, way } = await look()
      signal.throwIfAborted()
      if (!place || !way) throw new StartError('machine', probe.says)
      return begin(place, way, spec, signal)
    },

    async reap(runner_id) {
      const { place } = await look()
      if (!place) return []
      const found = await findWorkspaces(place.folder, runner_id)
      const left = found.filter(({ workspace }) => !names.has(workspace.name))
      for (const { workspace } of left) {
        await killAll({ mark: workspace.name })
        await release(workspace.name, workspace)
      }
      return left.map(({ run_id }) => run_id).filter((run_id) => !isAttempt(run_id))
    },

    async close() {
      await Promise.all([...live].map((running) => running.dispose()))
      const { place } = (await machine) ?? {}
      if (place?.warning) await rmdir(place.folder).catch(() => {})
    },
  }
}
