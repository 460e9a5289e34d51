import type { Probe } from '../../executor.ts'
import { bareEnvironment } from '../environment.ts'
import { isRoot } from '../job-user.ts'
import { runProgram } from '../program.ts'
import { limitsProcesses } from './launch.ts'
import type { Level, Way } from './level.ts'

/** Runs a script in the given way; returns the problem found, or undefined. */
export type Attempt = (way: Way) => Promise<string | undefined>

export interface ProbeResult {
  probe: Probe
  /** Absent when no job can be run here. */
  way?: Way
}

/** Tries the levels, best first, by running a small program in each the way a job would be run. */
export async function probeLevels(
  { levels, terminal: wanted }: { levels: readonly Level[]; terminal: boolean },
  attempt: Attempt,
): Promise<ProbeResult> {
  const tools = { terminal: wanted && (await hasTerminal()), sealed: await canSeal() }
  const failures: Failure[] = []
  for (const way of levels.flatMap((level) => waysOf(level, tools))) {
    const problem = await attempt(way)
    if (problem === undefined) return { probe: await describe(way, failures), way }
    failures.push({ level: way.level, problem })
  }
  return { probe: nothingWorks(failures.at(-1)?.problem ?? 'no level is allowed') }
}

interface Failure {
  level: Level
  problem: string
}

function waysOf(level: Level, { terminal, sealed }: Pick<Way, 'terminal' | 'sealed'>): Way[] {
  const recents = level === 'sandbox' ? [true, false] : [true]
  const terminals = terminal ? [true, false] : [false]
  return terminals.flatMap((terminal) =>
    recents.map((recent) => ({ level, terminal, recent, sealed })),
  )
}

async function canSeal(): Promise<boolean> {
  const { code } = await runProgram('setpriv', ['--no-new-privs', 'true'], bare)
  return code === 0
}

/** Whether `script` comes from util-linux: other systems' `script` has different options. */
async function hasTerminal(): Promise<boolean> {
  const { code } = await runProgram('script', ['-qec', 'exit 7', '/dev/null'], {
    env: { ...bareEnvironment, SHELL: '/bin/bash' },
  })
  return code === 7
}

const gives = {
  sandbox: 'jobs run in sandboxes',
  tree: 'jobs run in separate process trees, but can see the files of this machine',
  none: 'jobs run without isolation',
} as const satisfies Record<Level, string>

async function describe(way: Way, failures: readonly Failure[]): Promise<Probe> {
  const { level } = way
  const version = level === 'sandbox' ? await runProgram('bwrap', ['--version'], bare) : undefined
  const made = version?.text ? ` (${version.text})` : ''
  const user = isRoot() ? ', as separate users' : ''
  return {
    ok: true,
    says: `${gives[level]}${made}${user}${level === 'sandbox' ? '' : adviceAfter(failures)}`,
    isolation: level,
    enforces: {
      memory: false,
      cpu: false,
      processes: limitsProcesses(way),
      disk: true,
      no_network: level === 'sandbox',
    },
    warnings: warningsOf(way),
  }
}

const bare = { env: bareEnvironment }

/** Advice on how to get better isolation than was found. */
function adviceAfter(failures: readonly Failure[]): string {
  const failure = failures.find(({ level }) => level === 'sandbox')
  if (!failure) return ''
  if (/ENOENT/.test(failure.problem)) return '; install bubblewrap to run them in sandboxes'
  return `; a sandbox could not be made: ${firstLine(failure.problem)}`
}

function warningsOf({ level, terminal, recent, sealed }: Way): string[] {
  return [
    level === 'none' && !isRoot()
      ? 'without isolation a job can read the files and the environment of the service, and stop it'
      : '',
    isRoot() ? 'the service should not run as root; create a dedicated user for it' : '',
    terminal ? '' : 'there is no `script` of util-linux, so jobs run without a terminal',
    level === 'none' && !sealed
      ? 'there is no `setpriv` of util-linux, so jobs can use set-uid programs, those of other jobs too'
      : '',
    recent ? '' : 'bubblewrap is older than 0.8: /tmp has no size limit in jobs',
  ].filter((warning) => warning !== '')
}

export function nothingWorks(why: string): Probe {
  return {
    ok: false,
    says: `jobs cannot be run here: ${firstLine(why)}`,
    isolation: 'none',
    enforces: { memory: false, cpu: false, processes: false, disk: false, no_network: false },
    warnings: [],
  }
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text
}
