import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { compileScript } from '../../src/script/compile.ts'
import type { ScriptInput } from '../../src/script/input.ts'

export const sha = '0123456789abcdef0123456789abcdef01234567'

/** The input of a push to `main`; values that a test does not set are made up. */
export function scriptInput(given: Partial<ScriptInput> = {}): ScriptInput {
  return {
    job: {
      id: 5,
      number: '7.1',
      name: null,
      stage_name: null,
      allow_failure: false,
      restarted: false,
      restarted_by: null,
      web_url: 'http://ci.example/octavia/hello/jobs/5',
    },
    build: {
      id: 4,
      number: 7,
      event_type: 'push',
      web_url: 'http://ci.example/octavia/hello/builds/4',
    },
    repository: { slug: 'octavia/hello', private: false, default_branch: 'main' },
    commit: {
      sha,
      ref: 'refs/heads/main',
      branch: 'main',
      tag_name: null,
      message: 'Say hello',
      range: null,
    },
    pull_request: null,
    source: { url: 'http://git.example/octavia/hello.git', token: null },
    notes: [],
    app_host: 'ci.example',
    assumed: [],
    versions: 'exact',
    path_variable: 'RUNNER_PATH',
    variables: [],
    withheld: false,
    withheld_of_owner: false,
    decrypt: () => undefined,
    withheld_ssh_key: false,
    ssh_key: null,
    config: {},
    ...given,
  }
}

export interface Ended {
  /** As a shell reports it: 128 and the number of the signal for one that was killed. */
  code: number
  /** Everything printed, without colours, markers and carriage returns. */
  text: string
  /** Everything printed, with `␛` for each escape character. */
  raw: string
}

export interface Circumstances {
  /** Files of the repository, or of the home directory where the path begins with `~/`. */
  files?: Record<string, string>
  env?: Record<string, string>
  terminal?: boolean
  home?: string
  /** The content of descriptor 4. */
  ssh_key?: string | null
}

const base = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TERM: 'xterm-256color' }

export async function withHome<T>(use: (home: string) => Promise<T>): Promise<T> {
  const home = await mkdtemp(path.join(tmpdir(), 'build-service-script-'))
  try {
    return await use(home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Compiles a config and runs its job program in a home directory of its own. */
export function runJob(
  config: Record<string, unknown>,
  circumstances: Circumstances = {},
  given: Partial<ScriptInput> = {},
): Promise<Ended> {
  const { job, ssh_key } = compileScript(scriptInput({ ...given, config }))
  // Tests do not wait for the pause between two tries.
  const program = job.replace('__service_pause=1', '__service_pause=0')
  return runProgram(program, { ssh_key, ...circumstances })
}

export async function runProgram(program: string, given: Circumstances = {}): Promise<Ended> {
  if (given.home === undefined) {
    return withHome((home) => runProgram(program, { ...given, home }))
  }
  const { home } = given
  for (const [name, content] of Object.entries(given.files ?? {})) {
    const file = name.startsWith('~/')
      ? path.join(home, name.slice(2))
      : path.join(home, 'build/octavia/hello', name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
    await chmod(file, 0o755)
  }
  const file = path.join(home, 'program.sh')
  await writeFile(file, program)
  const bash = ['bash', '--noprofile', '--norc', file]
  const command = given.terminal ? ['script', '-qec', `exec ${bash.join(' ')}`, '/dev/null'] : bash
  return run(command, { ...base, HOME: home, ...given.env }, given.ssh_key ?? null)
}

/** Into one pipe: output of two pipes has no order. */
const joined = ['-c', 'exec "$@" 2>&1', 'bash']

function run(
  command: string[],
  env: Record<string, string>,
  ssh_key: string | null,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // A separate process group, as every executor creates it: remaining processes are searched for
    // in it.
    const child = spawn('bash', [...joined, ...command], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore', 'ignore', ssh_key === null ? 'ignore' : 'pipe'],
    })
    if (ssh_key !== null) (child.stdio[4] as Duplex).resume().end(ssh_key)
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    // Emitted only when no process holds the output open any longer.
    child.on('close', (status, signal) => {
      const raw = Buffer.concat(chunks).toString().replaceAll('\u001B', escape)
      const code = status ?? 128 + (signal ? constants.signals[signal] : 0)
      resolve({ code, text: readable(raw), raw })
    })
  })
}

const escape = '␛'
const marker = /service_(?:fold|time):[^\r\n]*\r␛\[0K/g
const colour = /␛\[[\d;]*m/g

/** The output meant for the runner only. */
const handed = /service_secret:(?:start:[^;]*?service_secret:end|over):[-\da-f]+;/gs

function readable(raw: string): string {
  return raw
    .replaceAll(handed, '')
    .replaceAll(marker, '')
    .replaceAll(colour, '')
    .replaceAll('\r', '')
}

/** The executed lines, in order. */
export function commandsIn({ text }: Ended): string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('$ ') ? line.slice(2) : []))
}

/** The output after the lines about the machine. */
export function bodyOf({ text }: Ended): string {
  return text.slice(text.indexOf('\n', text.indexOf('Language: ')) + 1)
}
