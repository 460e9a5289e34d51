import { isMap } from '../../../domain/config/config-value.ts'
import type { Probe } from '../../executor.ts'
import { type Engine, reasonOf, textOf } from './engine.ts'
import type { Images } from './images.ts'
import type { ContainerLimits } from './launch.ts'

const oldest = 1.41

export interface ProbedEngine {
  probe: Probe
  /** Limits of a job that sets none. */
  limits: ContainerLimits
}

interface ProbeOptions {
  images: Images
  cloneImage: string
  slots: number
  /** Called with the progress of the first pull of the image. */
  say: ((line: string) => void) | undefined
}

/** Checks whether jobs can run on an engine, and which of their limits it enforces. */
export async function probeEngine(
  engine: Engine,
  { images, cloneImage, slots, say }: ProbeOptions,
): Promise<ProbedEngine> {
  try {
    const [version, info] = await Promise.all([engine.version(), engine.info() as Promise<unknown>])
    if (Number(version.ApiVersion) < oldest) {
      return unusable(`the Docker engine ${version.Version} is too old: install 20.10 or later`)
    }
    await images.have(cloneImage, 'missing', {
      signal: AbortSignal.timeout(longestPull),
      say: say && ((line) => say(`${cloneImage}: ${line}`)),
    })
    const facts = isMap(info) ? info : {}
    const probe: Probe = {
      ok: true,
      says: `containers of the Docker engine ${version.Version}${confinesRoot(facts) ? ', with users of their own' : ''}`,
      isolation: 'container',
      confines_root: confinesRoot(facts),
      enforces: {
        memory: facts['MemoryLimit'] === true,
        cpu: facts['CpuCfsQuota'] === true,
        processes: facts['PidsLimit'] === true,
        disk: false,
        no_network: true,
      },
      warnings: warningsOf(facts),
    }
    return { probe, limits: limitsFor(facts, slots) }
  } catch (error) {
    return unusable(
      `the Docker engine cannot be used (${reasonOf(error)}): start it, set DOCKER_HOST, or give this account access to its socket`,
    )
  }
}

const longestPull = 600_000

function unusable(says: string): ProbedEngine {
  const enforces = { memory: false, cpu: false, processes: false, disk: false, no_network: false }
  const limits = limitsFor({}, 1)
  return { probe: { ok: false, says, isolation: 'none', enforces, warnings: [] }, limits }
}

const gibibyte = 1024 ** 3

/** Equal parts of the machine's cores, and of its memory except a reserve for the machine. */
function limitsFor({ MemTotal, NCPU }: Record<string, unknown>, slots: number): ContainerLimits {
  const memory = typeof MemTotal === 'number' ? (MemTotal - gibibyte) / slots : undefined
  return {
    memory_bytes: memory === undefined ? undefined : Math.floor(Math.max(memory, gibibyte / 4)),
    cpus: typeof NCPU === 'number' ? NCPU / slots : undefined,
    processes: 1024,
  }
}

const options = (facts: Record<string, unknown>) =>
  Array.isArray(facts['SecurityOptions']) ? facts['SecurityOptions'].map(String) : []

/** Whether root of a container is an ordinary user of the machine, or has a kernel of its own. */
function confinesRoot(facts: Record<string, unknown>): boolean {
  const isMapped = options(facts).some((option) => /name=(?:rootless|userns)/.test(option))
  return isMapped || /\b(?:runsc|kata)\b/.test(textOf(facts, 'DefaultRuntime') ?? '')
}

/**
 * Reads the state from an engine that may have been restarted with another configuration; false if
 * it does not respond.
 */
export async function confinesRootNow(engine: Engine): Promise<boolean> {
  try {
    const info = (await engine.info()) as unknown
    return isMap(info) && confinesRoot(info)
  } catch {
    return false
  }
}

function warningsOf(facts: Record<string, unknown>): string[] {
  const lacking = [
    ['MemoryLimit', 'memory'],
    ['PidsLimit', 'processes'],
    ['CpuCfsQuota', 'processors'],
  ].flatMap(([fact = '', name]) => (facts[fact] === true ? [] : [name]))
  return [
    ...(lacking.length > 0
      ? [
          `the engine does not enforce limits of ${lacking.join(', ')}: see its warnings in "docker info"`,
        ]
      : []),
    ...(options(facts).some((option) => option.includes('unconfined'))
      ? ['the engine runs containers without its filter of system calls (seccomp): turn it on']
      : []),
    ...(confinesRoot(facts)
      ? []
      : [
          'root in a container is root of this machine for its kernel: set "userns-remap" or run the engine rootless',
        ]),
    ...(textOf(facts, 'OSType') === 'linux' ? [] : ['jobs need an engine with Linux containers']),
  ]
}
