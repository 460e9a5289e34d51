import { lookup } from 'node:dns/promises'
import { mkdir, rmdir } from 'node:fs/promises'
import type { Container } from 'dockerode'
import type { Environment } from '../../../config/config.ts'
import { type Executor, type JobSpec, type Running, StartError } from '../../executor.ts'
import { isAttempt, tryOut } from '../process/attempt.ts'
import { checkId } from '../process/workspace.ts'
import type { Owner } from './archive.ts'
import { removeContainer } from './container.ts'
import { type Engine, openEngine, reasonOf, unless } from './engine.ts'
import { createImages, type Images } from './images.ts'
import { labels, labelsOf } from './launch.ts'
import { machineAddresses, openGuard, openNetwork } from './network.ts'
import { type ProbedEngine, probeEngine } from './probe.ts'
import { type DockerRun, type Site, startRun } from './run.ts'

export interface DockerOptions {
  /** A folder of this machine for what is copied into containers. */
  workDir: string
  /** Letters, digits, `.`, `_` and `-`. Unique among the runners of the engine. */
  runnerId: string
  /** The image that fetches commits: bash, git, ssh and perl. */
  cloneImage: string
  user?: Owner
  /** Number of jobs that share the engine's machine, for limits that no one set. */
  slots: number
  /** Addresses, networks and names of the machine or its link that jobs reach nevertheless. */
  allowed?: readonly string[]
  log?: { warn(data: object, message: string): void }
  /** Variables that name the engine and the logins of registries. */
  env: Environment
}

/** Runs jobs in containers, one for each step, on the engine that the environment names. */
export function createDockerExecutor(options: DockerOptions): Executor {
  const { workDir, runnerId, cloneImage, slots, allowed = [] } = options
  const { env, log = { warn() {} }, user = { uid: 0, gid: 0 } } = options
  const live = new Set<Running>()
  const names = new Set<string>()
  let opened: Promise<{ engine: Engine; images: Images; probed: ProbedEngine }> | undefined
  let addresses: Promise<string[]> | undefined
  checkId(runnerId)

  const open = () => (opened ??= look())

  async function look() {
    const engine = openEngine(env)
    const images = createImages(engine, env)
    return { engine, images, probed: await probeEngine(engine, { images, cloneImage, slots }) }
  }

  async function siteOf(): Promise<Site> {
    const { engine, images, probed } = await open()
    const { probe, limits } = probed
    if (!probe.ok) throw new StartError('machine', probe.says)
    await mkdir(workDir, { recursive: true, mode: 0o711 })
    const network = await openNetwork(engine, runnerId)
    return {
      engine,
      images,
      network,
      cloneImage,
      user,
      limits,
      workDir,
      runner: runnerId,
      guard: (spec, signal) => guard(engine, network, spec, signal),
    }
  }

  async function guard(
    engine: Engine,
    network: string,
    { job_id, run_id }: JobSpec,
    signal: AbortSignal,
  ): Promise<Container> {
    const mark = labelsOf({ runner: runnerId, job: job_id, run: run_id })
    // Found out once the network is there, since the engine has an address in it.
    addresses ??= machineAddresses(engine, cloneImage, mark, signal)
    const refused = await addresses.catch((error: unknown) => {
      addresses = undefined
      throw error
    })
    const given = { image: cloneImage, network, labels: mark, hostname: `job-${job_id}` }
    return openGuard(engine, { ...given, refused, allowed: await resolved(allowed) }, signal)
  }

  async function begin(spec: JobSpec, signal: AbortSignal): Promise<Running> {
    const name = checkId(spec.run_id)
    names.add(name)
    try {
      signal.throwIfAborted()
      return track(await startRun(await siteOf(), spec, signal), name)
    } catch (error) {
      names.delete(name)
      signal.throwIfAborted()
      if (error instanceof StartError) throw error
      throw new StartError('machine', reasonOf(error), { cause: error })
    }
  }

  function track({ remove, ...run }: DockerRun, name: string): Running {
    let disposed: Promise<void> | undefined
    const running = { ...run, dispose: () => (disposed ??= dispose()) }
    async function dispose(): Promise<void> {
      await run.kill()
      await remove().catch((error: unknown) => {
        log.warn({ err: error, run_id: name }, 'containers of a job were not removed')
      })
      names.delete(name)
      live.delete(running)
    }
    live.add(running)
    return running
  }

  const attempt = async () => tryOut({ terminal: true }, (spec, signal) => begin(spec, signal))

  return {
    name: 'docker',

    async probe() {
      const { probed } = await open()
      return probed.probe
    },

    start: begin,
    tryOut: attempt,

    async reap(runner) {
      const { engine, probed } = await open()
      if (!probed.probe.ok) return []
      const left = await removeLeftovers(engine, runner, names)
      return left.filter((run) => !isAttempt(run))
    },

    async close() {
      await Promise.all([...live].map((running) => running.dispose()))
      if (opened === undefined) return
      await rmdir(workDir).catch(() => {})
      const { engine, probed } = await opened
      if (!probed.probe.ok) return
      await removeLeftovers(engine, runnerId, names).catch(() => {})
      await unless([403, 404], engine.getNetwork(`build-service-${runnerId}`).remove())
    },
  }
}

/** Removes what earlier processes of a runner left on the engine, and returns their run ids. */
async function removeLeftovers(
  engine: Engine,
  runner: string,
  inUse: ReadonlySet<string>,
): Promise<string[]> {
  const filters = { label: [`${labels.runner}=${runner}`] }
  const isLeft = ({ Labels }: { Labels: Record<string, string> | null }) =>
    !inUse.has(Labels?.[labels.run] ?? '')
  const runs = new Set<string>()
  for (const found of (await engine.listContainers({ all: true, filters })).filter(isLeft)) {
    await removeContainer(engine.getContainer(found.Id))
    runs.add(found.Labels[labels.run] ?? '')
  }
  const { Volumes } = await engine.listVolumes({ filters })
  for (const found of (Volumes ?? []).filter(isLeft)) {
    await unless([404, 409], engine.getVolume(found.Name).remove())
    runs.add(found.Labels?.[labels.run] ?? '')
  }
  runs.delete('')
  return [...runs]
}

/** Names as the addresses that they have now; a name without one is left out. */
async function resolved(allowed: readonly string[]): Promise<string[]> {
  const found = allowed.map(async (each) => {
    if (/^[\d./]+$/.test(each)) return [each]
    const addresses = await lookup(each, { all: true, family: 4 }).catch(() => [])
    return addresses.map(({ address }) => address)
  })
  return (await Promise.all(found)).flat()
}
