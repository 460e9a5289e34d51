import { visible } from '../text/escape-control-characters.ts'
// The machines that build files request and runners have (D52).
import { shortened } from '../text/shortened.ts'

/** An operating system and a processor, by their names in a build file. */
export interface Machine {
  os: string
  arch: string
}

/** The machine that a build file requests; null for each part that it leaves open. */
export interface AskedMachine {
  os: string | null
  arch: string | null
}

/** Ways to treat jobs that request a machine no runner has. */
export const otherMachines = ['refuse', 'skip', 'run'] as const
export type OtherMachines = (typeof otherMachines)[number]

/** How people choose one of these: by the setting of a service, or by the option of `build-service run`. */
export type MachineChoice = 'OTHER_MACHINES=' | '--other-machines '

const systems: Readonly<Record<string, string>> = { darwin: 'osx', macos: 'osx', win32: 'windows' }

const processors: Readonly<Record<string, string>> = {
  aarch64: 'arm64',
  'arm64-graviton2': 'arm64',
  ia32: 'i386',
  ppc64: 'ppc64le',
  x64: 'amd64',
  x86_64: 'amd64',
}

/** A machine from the names that its own system reports, as Node.js gives them. */
export function machineOf(platform: string, processor: string): Machine {
  return { os: systems[platform] ?? platform, arch: processors[processor] ?? processor }
}

/** The machine that a build file requests, under the names that runners register with. */
function wanted({ os, arch }: AskedMachine): AskedMachine {
  if (os === 'linux-ppc64le') return { os: 'linux', arch: arch ?? 'ppc64le' }
  return { os: os && (systems[os] ?? os), arch: arch && (processors[arch] ?? arch) }
}

export function fits(asked: AskedMachine, machine: Machine): boolean {
  const { os, arch } = wanted(asked)
  return (os === null || os === machine.os) && (arch === null || arch === machine.arch)
}

/** The requested parts that no machine has, such as `os osx`; all if only their combination is missing. */
export function unmetPart(asked: AskedMachine, machines: readonly Machine[]): string {
  const named = parts(asked)
  const missing = named.filter(({ one }) => !machines.some((machine) => fits(one, machine)))
  return (missing.length > 0 ? missing : named)
    .map(({ name, value }) => `${name} ${value}`)
    .join(', ')
}

function parts({ os, arch }: AskedMachine) {
  return [
    ...(os === null ? [] : [{ name: 'os', value: shown(os), one: { os, arch: null } }]),
    ...(arch === null ? [] : [{ name: 'arch', value: shown(arch), one: { os: null, arch } }]),
  ]
}

/** A name in a form that logs, pages and statuses can show: build files can contain any name. */
const shown = (name: string) => shortened(visible(name), longestName)

const longestName = 60

const askedText = (asked: AskedMachine) =>
  parts(asked)
    .map(({ name, value }) => `"${name}: ${value}"`)
    .join(' and ')

export const machineText = ({ os, arch }: Machine) => `${os} on ${arch}`

/** Message that no runner has the machine that a job requests. */
export function noSuchRunner(asked: AskedMachine, machines: readonly Machine[]): string {
  const found = [...new Set(machines.map(machineText))].join(', ')
  return `.service.yml asks for ${askedText(asked)}, and the runners of this service have ${found}`
}

const remedies: Readonly<Record<MachineChoice, string>> = {
  'OTHER_MACHINES=':
    'Start a runner on such a machine, change .service.yml, or leave such jobs out ' +
    '(OTHER_MACHINES=skip) or run them here (OTHER_MACHINES=run).',
  // A run has one runner, on the machine that it was called on.
  '--other-machines ':
    'Change .service.yml, or leave such jobs out (--other-machines skip) or run them here ' +
    '(--other-machines run).',
}

/** Why a job is not run, and what to do about it. */
export function refusedText(
  asked: AskedMachine,
  machines: readonly Machine[],
  choice: MachineChoice,
): string {
  return `${noSuchRunner(asked, machines)}. ${remedies[choice]}`
}

export function leftOutText(
  asked: AskedMachine,
  machines: readonly Machine[],
  choice: MachineChoice,
): string {
  return `${noSuchRunner(asked, machines)}: the job is left out (${choice}skip).`
}

export function otherMachineText(
  asked: AskedMachine,
  found: string,
  choice: MachineChoice,
): string {
  return `.service.yml asks for ${askedText(asked)}, and the job runs on ${found} (${choice}run).`
}

/** Outcome of a job whose machine no runner has. */
export interface UnmetJob {
  /** The parts that no runner had, such as `os osx`. */
  unmet: string | null
  /** The machine that the job ran on instead; null if it did not run. */
  found_machine: string | null
}

/** Whether the job was left out: then it does not count for its stage and build. */
export function isLeftOut({
  state,
  unmet = null,
  found_machine = null,
}: Partial<UnmetJob> & { state: string }): boolean {
  return state === 'canceled' && unmet !== null && found_machine === null
}

/** `2 of 5 jobs not run: os osx`, and the same for jobs run on another machine; `total` counts all jobs. */
export function unmetNotes(total: number, jobs: readonly UnmetJob[]): string[] {
  const unmet = jobs.filter((job) => job.unmet !== null)
  const note = (some: readonly UnmetJob[], what: string) => {
    if (some.length === 0) return []
    const asked = [...new Set(some.map((job) => job.unmet))].join(', ')
    return [`${some.length} of ${total} ${total === 1 ? 'job' : 'jobs'} ${what}: ${asked}`]
  }
  return [
    ...note(
      unmet.filter((job) => job.found_machine === null),
      'not run',
    ),
    ...note(
      unmet.filter((job) => job.found_machine !== null),
      'run on another machine',
    ),
  ]
}
