import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { mkdir, rmdir } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import type { Container } from 'dockerode'
import type { Environment } from '../../../config/config.ts'
import { type Executor, type JobSpec, type Running, StartError } from '../../executor.ts'
import { isAttempt, tryOut } from '../attempt.ts'
import { checkId } from '../check-id.ts'
import type { Owner } from './archive.ts'
import { removeContainer } from './container.ts'
import { type Engine, openEngine, reasonOf, unless } from './engine.ts'
import { createImages, type Images } from './images.ts'
import { labels, labelsOf } from './launch.ts'
import { machineAddresses, openGuard, openNetwork } from './network.ts'
import { confinesRootNow, type ProbedEngine, probeEngine } from './probe.ts'
import { createPulledImages, type PulledImages, type PulledImagesOptions } from './pulled-images.ts'
import { type DockerRun, type Site, startRun } from './run.ts'
import { createClients } from './services/clients.ts'
import { removeInputsOf } from './step-files.ts'

interface Log {
  warn(data: object, message: string): void
  info?(data: object, message: string): void
}

export interface DockerOptions {
  /** A folder of this machine for files to be copied into containers. */
  workDir: string
  /**
   * The file that records the pulled images, and the days without use after which they are removed.
   */
  images: PulledImagesOptions & { days: number }
  /** Letters, digits, `.`, `_` and `-`. Unique among the runners of the engine. */
  runnerId: string
  /** The image that fetches commits: bash, git, ssh and perl. */
  cloneImage: string
  user?: Owner
  /** Number of jobs that share the engine's machine, for limits that are not set. */
  slots: number
  /** Addresses, networks and names of the machine or its link that jobs can reach nevertheless. */
  allowed?: readonly string[]
  log?: Log
  /** Called with lines about the pull of CLONE_IMAGE before there is a job with a log. */
  say?: ((line: string) => void) | undefined
  /** Variables that name the engine and the logins of registries. */
  env: Environment
}

/** Runs jobs in containers, one for each step, on the engine that the environment names. */
export function createDockerExecutor(options: DockerOptions): Executor {
  const { workDir, runnerId, cloneImage, slots, allowed = [] } = options
  const { env, say, log = { warn() {} }, user = { uid: 0, gid: 0 } } = options
  const live = new Set<Running>()
  const names = new Set<string>()
  let opened: Promise<Opened> | undefined
  let closed: Promise<void> | undefined
  let addresses: { until: number; found: Promise<string[]> } | undefined
  let network: Promise<string> = Promise.resolve('')
  const starting = new Set<Promise<Running>>()
  const closing = new AbortController()
  const clients = createClients(workDir)
  checkId(runnerId)

  const open = () => (opened ??= look())

  async function look(): Promise<Opened> {
    const engine = openEngine(env)
    const pulled = createPulledImages(engine, options.images)
    const images = createImages(engine, env, pulled)
    const probed = await probeEngine(engine, { images, cloneImage, slots, say })
    return { engine, images, pulled, probed }
  }

  async function siteOf(): Promise<Site> {
    const { engine, images, probed } = await open()
    const { probe, limits } = probed
    if (!probe.ok) throw new StartError('machine', probe.says)
    await mkdir(workDir, { recursive: true, mode: 0o711 })
    // One after the other: engines do not always refuse a second network with the same name.
    const opening = network.catch(() => '').then(() => openNetwork(engine, runnerId))
    network = opening
    const name = await opening
    return {
      engine,
      images,
      clients,
      cloneImage,
      user,
      limits,
      workDir,
      runner: runnerId,
      guard: (spec, signal) => guard(engine, name, spec, signal),
    }
  }

  async function guard(
    engine: Engine,
    network: string,
    { job_id, run_id, code_host, names: own }: JobSpec,
    signal: AbortSignal,
  ): Promise<Container> {
    const mark = labelsOf({ runner: runnerId, job: job_id, run: run_id })
    const refused = await refusedAddresses(engine)
    const reached = await resolved([...allowed, ...(code_host === undefined ? [] : [code_host])])
    const { hosts = [], hostname = `job-${job_id}` } = own ?? {}
    const given = { image: cloneImage, network, labels: mark, hostname, hosts }
    return openGuard(engine, { ...given, refused, allowed: reached }, signal)
  }

  /** Looked up once a minute, because a machine gets and loses addresses. */
  async function refusedAddresses(engine: Engine): Promise<string[]> {
    if (addresses === undefined || addresses.until < Date.now()) {
      addresses = { until: Date.now() + minute, found: lookUpAddresses(engine) }
    }
    try {
      return [...new Set([...ownAddresses(), ...(await addresses.found)])]
    } catch (error) {
      addresses = undefined
      throw error
    }
  }

  /** In a container with a separate label, so that `reap` leaves it alone. */
  async function lookUpAddresses(engine: Engine): Promise<string[]> {
    const run = `addresses-${randomUUID()}`
    names.add(run)
    try {
      const mark = { [labels.runner]: runnerId, [labels.run]: run }
      return await machineAddresses(engine, cloneImage, mark, AbortSignal.timeout(minute))
    } finally {
      names.delete(run)
    }
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

  return {
    name: 'docker',

    async probe() {
      const { engine, probed } = await open()
      return { ...probed.probe, confines_root: await confinesRootNow(engine) }
    },

    start(spec, signal) {
      const run = begin(spec, AbortSignal.any([signal, closing.signal]))
      starting.add(run)
      void run.catch(() => {}).finally(() => starting.delete(run))
      return run
    },

    tryOut: () => tryOut({ terminal: true }, begin),

    async reap(runner) {
      const { engine, pulled, probed } = await open()
      if (!probed.probe.ok) return []
      const left = await removeLeftovers(engine, runner, { inUse: names, log })
      await removeInputsOf(runner, { workDir, inUse: names })
      await removeImages(pulled)
      await clients.removeUnused(options.images.days)
      return left.filter((run) => isOfJob(run))
    },

    async stored() {
      const { pulled, probed } = await open()
      return probed.probe.ok ? pulled.stored() : { images: 0, bytes: 0 }
    },

    close: () => (closed ??= close()),
  }

  async function removeImages(pulled: PulledImages): Promise<void> {
    try {
      const removed = await pulled.removeUnused(options.images.days)
      if (removed.length > 0) log.info?.({ images: removed }, 'unused images were removed')
    } catch (error) {
      log.warn({ err: error }, 'unused images were not removed')
    }
  }

  async function close(): Promise<void> {
    closing.abort(new StartError('machine', 'this runner stops'))
    await Promise.allSettled(starting)
    await Promise.all([...live].map((running) => running.dispose()))
    if (opened === undefined) return
    try {
      const { engine, probed } = await opened
      if (!probed.probe.ok) return
      await removeLeftovers(engine, runnerId, { inUse: names, log })
      await unless([403, 404], engine.getNetwork(`build-service-${runnerId}`).remove())
      await removeInputsOf(runnerId, { workDir, inUse: names })
      // Other processes of this installation may have containers in the network, such as `doctor`
      // beside a service.
      await rmdir(workDir).catch(() => {})
    } catch (error) {
      log.warn({ err: error }, 'not all containers of this runner were removed')
    }
  }
}

interface Opened {
  engine: Engine
  images: Images
  pulled: PulledImages
  probed: ProbedEngine
}

/** Runs of the service itself belong to no job. */
const isOfJob = (run: string) => !isAttempt(run) && !run.startsWith('addresses-')

const minute = 60_000

/** The addresses of this machine, which may be that of the engine. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
}

/** Removes the remains of a runner's earlier processes on the engine, and returns their run ids. */
async function removeLeftovers(
  engine: Engine,
  runner: string,
  { inUse, log }: { inUse: ReadonlySet<string>; log: Log },
): Promise<string[]> {
  const filters = { label: [`${labels.runner}=${runner}`] }
  const isLeft = ({ Labels }: { Labels: Record<string, string> | null }) =>
    !inUse.has(Labels?.[labels.run] ?? '')
  const runs = new Set<string>()
  const warn = (error: unknown) => log.warn({ err: error }, 'a leftover was not removed')
  for (const found of (await engine.listContainers({ all: true, filters })).filter(isLeft)) {
    await removeContainer(engine.getContainer(found.Id)).catch(warn)
    runs.add(found.Labels[labels.run] ?? '')
  }
  const { Volumes } = await engine.listVolumes({ filters })
  for (const found of (Volumes ?? []).filter(isLeft)) {
    await unless([404, 409], engine.getVolume(found.Name).remove()).catch(warn)
    runs.add(found.Labels?.[labels.run] ?? '')
  }
  runs.delete('')
  return [...runs]
}

/** Names with their current addresses; a name without an address is left out. */
async function resolved(allowed: readonly string[]): Promise<string[]> {
  const found = allowed.map(async (each) => {
    if (/^[\d./]+$/.test(each)) return [each]
    const addresses = await lookup(each, { all: true, family: 4 }).catch(() => [])
    return addresses.map(({ address }) => address)
  })
  return (await Promise.all(found)).flat()
}
