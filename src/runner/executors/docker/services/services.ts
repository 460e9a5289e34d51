import { createReadStream } from 'node:fs'
import type { Container, ContainerCreateOptions, MountSettings } from 'dockerode'
import { inColour } from '../../../../domain/log/log-colours.ts'
import { clearLine, foldMarker } from '../../../../domain/log/log-markers.ts'
import type {
  JobService,
  RequestedServices,
} from '../../../../script/services/requested-services.ts'
import type { Exit } from '../../../executor.ts'
import type { Output } from '../../output.ts'
import { archiveOf } from '../archive.ts'
import type { Archive } from '../container.ts'
import { type Engine, reasonOf } from '../engine.ts'
import { ImageError, type Images } from '../images.ts'
import { confined, type ContainerLimits, home } from '../launch.ts'
import type { Clients } from './clients.ts'
import { type Readiness, type StartedService, waitUntilReady } from './ready.ts'

/** The parts of a job that come from its services. */
export interface Beside {
  services: readonly JobService[]
  memory_bytes: number
  mounts: MountSettings[]
  variables: Readonly<Record<string, string>>
  archives: Archive[]
}

export const nothingBeside: Beside = {
  services: [],
  memory_bytes: 0,
  mounts: [],
  variables: {},
  archives: [],
}

interface Place {
  engine: Engine
  images: Images
  clients: Clients
  output: Pick<Output, 'write'>
  labels: Record<string, string>
  limits: ContainerLimits
  /** The volume with the job's home. */
  volume: string
  guard: Container
  signal: AbortSignal
}

export interface Services {
  /** Starts the services and waits for them, or returns how the job ends without them. */
  start(requested: RequestedServices, place: Place): Promise<Beside | { exit: Exit }>
  /** Names in the log the services that have ended, after a job that failed. */
  explain(output: Pick<Output, 'write'>): Promise<void>
  /** The parts of the services that already exist on the engine. */
  made(): { containers: readonly Container[]; volumes: readonly string[] }
}

/** The services of one run: containers in the network of its guard. */
export function createServices(): Services {
  const started: StartedService[] = []
  const volumes: string[] = []

  async function start(
    requested: RequestedServices,
    place: Place,
  ): Promise<Beside | { exit: Exit }> {
    if ('lacks' in requested) return errored(place, requested.lacks)
    const { services } = requested
    if (services.length === 0) return nothingBeside
    await place.output.write(foldMarker('start', 'services') + clearLine)
    try {
      const ready = await startAll(services, place)
      await place.output.write(foldMarker('end', 'services') + clearLine)
      if (!('ready' in ready)) return await explained(ready, place)
      const copies = await Promise.all(started.map(place.clients.archiveOf))
      const missing = copies.flatMap((copy) => copy.missing)
      if (missing.length > 0)
        await place.output.write(`${inColour('yellow', uncopied(missing))}\r\n`)
      const files = copies.flatMap(({ file }) => file ?? [])
      return {
        services,
        memory_bytes: sum(memoryOf(services, place.limits)),
        mounts: [...sharedFolders].map(([folder, volume]) => mountOf(volume, folder, true)),
        variables: Object.assign({}, ...services.map(({ variables }) => variables)) as Record<
          string,
          string
        >,
        archives: files.map((file) => ({ folder: '/', bytes: createReadStream(file) })),
      }
    } catch (error) {
      await place.output.write(foldMarker('end', 'services') + clearLine)
      place.signal.throwIfAborted()
      if (!(error instanceof ImageError)) throw error
      if (error.blame === 'machine') return { exit: { kind: 'lost', why: error.message } }
      return errored(place, `A service of this job has no image: ${error.message}.`)
    }
  }

  const sharedFolders = new Map<string, string>()

  async function startAll(services: readonly JobService[], place: Place): Promise<Readiness> {
    const { engine, images, guard, labels, limits, output, signal } = place
    const say = (line: string) => void output.write(`${line}\r\n`)
    const memory = memoryOf(services, limits)
    for (const [at, service] of services.entries()) {
      say(`${service.name}: ${service.image}`)
      const image = await images.have(service.image, service.pull, { signal, say })
      const folder = service.sockets
      if (folder !== undefined) {
        const { name } = await engine.createVolume({ Labels: labels })
        volumes.push(name)
        sharedFolders.set(folder, name)
      }
      signal.throwIfAborted()
      const container = await engine.createContainer(
        containerOf(service, {
          image,
          labels,
          limits: { ...limits, memory_bytes: memory[at] },
          network: `container:${guard.id}`,
          mounts: [
            ...(folder === undefined
              ? []
              : [mountOf(sharedFolders.get(folder) ?? '', folder, false)]),
            ...(service.is_engine ? [mountOf(place.volume, home, true)] : []),
          ],
        }),
      )
      started.push({ service, container })
      const files = Object.entries(service.files ?? {})
      if (files.length > 0) {
        const entries = files.map(([name, text]) => ({ name, text, mode: 0o644, uid: 0, gid: 0 }))
        await container.putArchive(await archiveOf(entries), { path: '/' })
      }
      await container.start()
    }
    return waitUntilReady(started, { guard, signal, say })
  }

  async function explain(output: Pick<Output, 'write'>): Promise<void> {
    for (const { service, container } of started) {
      const { State: state } = await container.inspect()
      if (state.Running) continue
      const how = endOf(state.ExitCode, state.OOMKilled)
      const text = `The service "${service.name}" ended ${how} while the job ran. Its last lines:`
      await output.write(`\r\n${inColour('yellow', text)}\r\n${await lastLines(container)}`)
    }
  }

  const made = () => ({ containers: started.map(({ container }) => container), volumes })

  return { start, explain, made }
}

async function explained(
  readiness: Exclude<Readiness, { ready: true }>,
  place: Place,
): Promise<{ exit: Exit }> {
  const { service, container } = 'late' in readiness ? readiness.late : readiness.failed
  await place.output.write(`The last lines of ${service.name}:\r\n${await lastLines(container)}`)
  if ('late' in readiness) {
    const seconds = `within ${service.seconds} seconds`
    return errored(
      place,
      `The service "${service.name}" did not accept connections at port ${service.port} ${seconds}, so the job was not run.`,
    )
  }
  const how = endOf(readiness.code, readiness.out_of_memory)
  const remedy = readiness.out_of_memory ? ': have an administrator raise JOB_MEMORY' : ''
  return errored(
    place,
    `The service "${service.name}" ended ${how} before it accepted connections${remedy}. The job was not run.`,
  )
}

const uncopied = (programs: readonly string[]) =>
  `The images of the services have no ${programs.join(', ')} that could be copied: a job whose own image lacks them ` +
  'must install them in "before_install".'

const endOf = (code: number, outOfMemory: boolean) =>
  outOfMemory ? 'because its memory ran out' : `with exit code ${code}`

async function errored({ output }: Pick<Place, 'output'>, text: string): Promise<{ exit: Exit }> {
  await output.write(`${inColour('red', text)}\r\n`)
  return { exit: { kind: 'exited', code: 2 } }
}

const lines = 50

/** What a service printed last, without the headers of eight bytes that the engine puts before each piece. */
async function lastLines(container: Container): Promise<string> {
  try {
    const bytes = await container.logs({ stdout: true, stderr: true, tail: lines, follow: false })
    const pieces: Buffer[] = []
    for (let at = 0; at + 8 <= bytes.length;) {
      const end = at + 8 + bytes.readUInt32BE(at + 4)
      pieces.push(bytes.subarray(at + 8, end))
      at = end
    }
    return Buffer.concat(pieces).toString().trimEnd().replaceAll(/\r?\n/g, '\r\n') + '\r\n'
  } catch (error) {
    return `(cannot be read: ${reasonOf(error)})\r\n`
  }
}

const mebibyte = 1024 ** 2
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

/**
 * The resources of each service: its usual needs, and for all together at most half of the job's.
 * An engine gets the rest of that half, and at least half of it.
 */
function memoryOf(services: readonly JobService[], { memory_bytes }: ContainerLimits): number[] {
  const usual = services.map(({ memory }) => memory * mebibyte)
  if (memory_bytes === undefined) return usual
  const half = memory_bytes / 2
  const hasEngine = services.some(({ is_engine }) => is_engine)
  const most = hasEngine ? half / 2 : half
  const wanted = sum(usual.filter((_, at) => !services[at]?.is_engine))
  const given = Math.min(most, wanted)
  return usual.map((each, at) =>
    Math.floor(services[at]?.is_engine ? half - given : (each * given) / wanted),
  )
}

function mountOf(volume: string, folder: string, NoCopy: boolean): MountSettings {
  return {
    Type: 'volume',
    Source: volume,
    Target: folder,
    VolumeOptions: { NoCopy, Labels: {}, DriverConfig: { Name: 'local', Options: {} } },
  }
}

interface ServiceLaunch {
  image: string
  labels: Record<string, string>
  limits: ContainerLimits
  network: string
  mounts: MountSettings[]
}

/** A service keeps the entry program of its image, which creates users and then drops its rights. */
function containerOf(
  { env = {}, command, is_engine, open_files }: JobService,
  { image, labels, limits, network, mounts }: ServiceLaunch,
): ContainerCreateOptions {
  const { CapDrop, CapAdd, SecurityOpt, ...others } = confined(limits)
  return {
    Image: image,
    ...(command === undefined ? {} : { Cmd: [...command] }),
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Healthcheck: { Test: ['NONE'] },
    Labels: labels,
    HostConfig: {
      ...others,
      ...(is_engine ? { Privileged: true } : { CapDrop, CapAdd, SecurityOpt }),
      LogConfig: {
        Type: 'local',
        Config: { 'max-size': '1m', 'max-file': '1', compress: 'false' },
      },
      ...(open_files === undefined
        ? {}
        : { Ulimits: [{ Name: 'nofile', Soft: open_files, Hard: open_files }] }),
      ShmSize: 128 * mebibyte,
      NetworkMode: network,
      Mounts: mounts,
    },
  }
}
