import { rmdir } from 'node:fs/promises'
import { type Executor, type JobSpec, type Running, StartError } from '../../executor.ts'
import { isAttempt, tryOut } from '../attempt.ts'
import { checkId } from '../check-id.ts'
import type { JobUser } from '../job-user.ts'
import { createJobUsers } from './job-users.ts'
import { levels as allLevels, type Level, type Way } from './level.ts'
import { findHidden, type Hidden } from './masked-paths.ts'
import { type ProbeResult, nothingWorks, probeLevels } from './probe.ts'
import { killAll } from './processes.ts'
import { findPlace, type Place } from './run-directory.ts'
import { type RunLog, type ProcessRun, startRun } from './run.ts'
import { findTools, type ToolOptions, type Tools } from './tools.ts'
import { findWorkspaces, openWorkspace, removeWorkspace, type Workspace } from './workspace.ts'

export interface ProcessOptions {
  /** Folder that contains the folder of each run while the run exists. */
  workDir: string
  /** Letters, digits, `.`, `_` and `-`. Unique among the runners of this machine. */
  runnerId: string
  log?: RunLog
  /** Files and folders of the service that no job sees at the levels `sandbox` and `tree`. */
  hidden?: readonly string[]
  /** The parts of this machine that jobs can use in addition to the system's own folders. */
  tools?: ToolOptions
  /** The levels that may be used, for tests. */
  levels?: readonly Level[]
  /** False: jobs write into a pipe, as on machines without the `script` of util-linux. */
  terminal?: boolean
  /** Milliseconds between two looks at the disk that a job takes; replaced in tests. */
  diskEvery?: number
}

type Site = Place & { hidden: Hidden; tools: Tools }
type Machine = ProbeResult & { site?: Site }

/** Runs jobs as processes of this machine, as isolated as the machine allows. */
export function createProcessExecutor(options: ProcessOptions): Executor {
  const { workDir, runnerId, log = { warn() {} } } = options
  const { levels = allLevels, terminal = true, diskEvery = 30_000 } = options
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
      const hidden = await findHidden([...(options.hidden ?? []), place.folder])
      const tools = await findTools(options.tools ?? {}, hidden)
      const { site, found, warning } = await probeAt({ ...place, hidden, tools })
      const warnings = [
        ...(place.warning ? [place.warning] : []),
        ...tools.warnings,
        ...(warning ? [warning] : []),
        ...found.probe.warnings,
      ]
      return { ...found, probe: { ...found.probe, warnings }, site }
    } catch (error) {
      return { probe: nothingWorks((error as Error).message) }
    }
  }

  /** Drops the tool folders if the isolation is better without them: tools are a convenience. */
  async function probeAt(
    site: Site,
  ): Promise<{ site: Site; found: ProbeResult; warning?: string }> {
    const probeOf = (site: Site) =>
      probeLevels({ levels, terminal }, (way) =>
        tryOut(way, (spec, signal) => begin(site, way, spec, signal)),
      )
    const found = await probeOf(site)
    const [best] = levels
    if (site.tools.shown.length === 0 || found.way?.level === best) return { site, found }
    const bare = { ...site, tools: { ...site.tools, shown: [] } }
    const without = await probeOf(bare)
    if (without.way?.level !== best) return { site, found }
    const names = site.tools.shown.map(({ at }) => at).join(', ')
    const warning = `jobs cannot see the folders ${names}: no sandbox could be made with them`
    return { site: bare, found: without, warning }
  }

  async function begin(
    { folder, hidden, tools }: Site,
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
      workspace = await openWorkspace(folder, name, user)
      const run = await startRun({ way, workspace, hidden, tools, spec, log, diskEvery }, signal)
      return track(run, workspace)
    } catch (error) {
      await release(name, workspace)
      users.release(user)
      signal.throwIfAborted()
      if (error instanceof StartError) throw error
      throw new StartError('machine', (error as Error).message, { cause: error })
    }
  }

  function track(run: ProcessRun, workspace: Workspace): Running {
    let disposed: Promise<void> | undefined
    const running = { ...run, dispose: () => (disposed ??= dispose()) }
    async function dispose(): Promise<void> {
      await run.kill()
      await release(workspace.name, workspace)
      users.release(workspace.user)
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

  /** The user of an old workspace may now be the user of another runner's job. */
  async function reapOne(workspace: Workspace): Promise<void> {
    const { user } = workspace
    const ours = user !== undefined && users.takeThis(user)
    await killAll({ mark: workspace.name, user: ours ? user : undefined })
    await release(workspace.name, workspace)
    if (ours) users.release(user)
  }

  return {
    name: 'process',

    async probe() {
      const { probe } = await look()
      return probe
    },

    async start(spec, signal) {
      const { probe, site, way } = await look()
      signal.throwIfAborted()
      if (!site || !way) throw new StartError('machine', probe.says)
      return begin(site, way, spec, signal)
    },

    async tryOut() {
      const { probe, site, way } = await look()
      if (!site || !way) return probe.says
      return tryOut(way, (spec, signal) => begin(site, way, spec, signal))
    },

    async reap(runner_id) {
      const { site } = await look()
      if (!site) return []
      const found = await findWorkspaces(site.folder, runner_id)
      const left = found.filter(({ workspace }) => !names.has(workspace.name))
      for (const { workspace } of left) {
        await reapOne(workspace)
      }
      return left.map(({ run_id }) => run_id).filter((run_id) => !isAttempt(run_id))
    },

    async close() {
      await Promise.all([...live].map((running) => running.dispose()))
      const { site } = (await machine) ?? {}
      if (site?.warning) await rmdir(site.folder).catch(() => {})
    },
  }
}
