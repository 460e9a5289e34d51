import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { chown, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import path from 'node:path'
import { type Duplex, PassThrough, pipeline, type Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { jobEnvironment, bareEnvironment } from '../environment.ts'
import type { JobUser } from '../job-user.ts'
import { startFailure, runProgram } from '../program.ts'
import { isOfLauncher, type Launch, launchCommand, seenBy } from './launch.ts'
import type { Way } from './level.ts'
import { killAll, terminateAll, type Trace } from './processes.ts'
import type { Workspace } from './workspace.ts'

export interface StepEnd {
  code: number | null
  signal: NodeJS.Signals | null
}

/** One step of a job as a process of this machine. */
export interface StepProcess {
  readonly output: Readable
  /** Whether the isolation was set up: the step's own shell has started. */
  readonly up: Promise<boolean>
  readonly ended: Promise<StepEnd>
  /** What bubblewrap, unshare or the system printed, for the operator. */
  complaint(): string
  /** Sends TERM to the processes of the step, apart from those that started its shell. */
  terminate(): Promise<void>
  /** Kills all processes that the step has started, even after its end; false when one survives. */
  clear(): Promise<boolean>
}

const longestComplaint = 1000
const interval = 10

export async function startStep(way: Way, launch: Launch): Promise<StepProcess> {
  const { workspace } = launch
  const { home, input } = seenBy(way, launch)
  const [command, args] = launchCommand(way, launch)
  const pipe = way.terminal ? undefined : await openPipe(workspace)

  const env = jobEnvironment({
    home,
    mark: workspace.name,
    terminal: way.terminal,
    input,
    variables: launch.tools.variables,
  })
  const { ssh_key } = launch
  const child = spawnStep(command, args, { env, user: workspace.user, pipe, ssh_key })
  if (ssh_key !== undefined) handOver(child.stdio[4], ssh_key)

  let said = ''
  const complaints = readableOf(child.stderr)
  complaints.on('error', () => {})
  complaints.on('data', (chunk: Buffer) => {
    if (said.length < longestComplaint) said += chunk.toString()
  })
  const failed = new Promise<undefined>((resolve) => {
    child.on('error', (error) => {
      said += startFailure(command, error)
      resolve(undefined)
    })
  })
  const exited = new Promise<StepEnd>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })

  const isOver = () => child.exitCode !== null || child.signalCode !== null

  return {
    output: pipe?.readable ?? kept(readableOf(child.stdout)),
    up: Promise.race([firstByte(readableOf(child.stdio[3])), failed.then(() => false)]),
    ended: Promise.race([exited, failed.then(() => ({ code: null, signal: null }))]),
    complaint: () => said.trim().slice(0, longestComplaint) || `${command} ended at once`,
    async terminate() {
      const { pid } = child
      if (pid === undefined) return
      const trace = traceOf(way, launch, pid)
      // The shell of the step may not have started yet.
      while (!isOver() && !terminateAll(trace, isOfLauncher(way, launch))) await pause(interval)
    },
    clear: async () => child.pid === undefined || killAll(traceOf(way, launch, child.pid)),
  }
}

interface Surroundings {
  env: Record<string, string>
  user: JobUser | undefined
  pipe: Pipe | undefined
  ssh_key: string | undefined
}

function spawnStep(
  command: string,
  args: string[],
  { env, user, pipe, ssh_key }: Surroundings,
): ChildProcess {
  try {
    return spawn(command, args, {
      // A separate process group can be killed as a whole, and Ctrl-C in our terminal does not reach it.
      detached: true,
      cwd: '/',
      stdio: [
        ...(['ignore', pipe?.writable ?? 'pipe', 'pipe', 'pipe'] as const),
        ...(ssh_key === undefined ? [] : (['pipe'] as const)),
      ],
      env,
      ...user,
    })
  } finally {
    pipe?.letGo()
  }
}

/** A step that ends before it has read the key is not an error. */
function handOver(descriptor: unknown, ssh_key: string): void {
  const key = descriptor as Duplex
  key.on('error', () => {})
  key.resume().end(ssh_key)
}

/** In namespaces, all processes of a step die with the first process, which is in our process group. */
function traceOf({ level }: Way, { workspace }: Launch, group: number): Trace & { group: number } {
  const { user, name } = workspace
  return level === 'none' ? { group, user, mark: name } : { group, user }
}

/** Its bytes for a later reader: Node discards what no one reads by the time that a child exits. */
function kept(stream: Readable): Readable {
  const through = new PassThrough()
  pipeline(stream, through, () => {})
  return through
}

function firstByte(stream: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    stream.on('data', () => resolve(true))
    stream.on('close', () => resolve(false))
    stream.on('error', () => resolve(false))
  })
}

function readableOf(stream: unknown): Readable {
  return stream as Readable
}

interface Pipe {
  readable: Readable
  /** Descriptor for a child process, after which `letGo` closes it here. */
  writable: number
  letGo(): void
}

/**
 * A named pipe. Node would give a child a socket instead, and `echo … > /dev/stderr`, found in many
 * scripts, fails on a socket.
 */
async function openPipe({ folder, user }: Workspace): Promise<Pipe> {
  const file = path.join(folder, 'output')
  const made = await runProgram('mkfifo', ['-m', '600', file], { env: bareEnvironment })
  if (made.code !== 0) throw new Error(`mkfifo: ${made.text}`)
  if (user) await chown(file, user.uid, user.gid)
  // Neither open blocks: the reader is non-blocking, and the writer finds a reader.
  const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const writable = openSync(file, constants.O_WRONLY)
  await rm(file)
  return {
    readable: new Socket({ fd: reader, readable: true, writable: false }),
    writable,
    letGo: () => closeSync(writable),
  }
}
