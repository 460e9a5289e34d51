import { spawn } from 'node:child_process'
import type { JobUser } from './job-user.ts'

export interface ProgramOptions {
  env: Record<string, string>
  user?: JobUser | undefined
  signal?: AbortSignal
}

export interface Ended {
  /** Null when it was killed, or could not be started at all. */
  code: number | null
  /** Its output, cut to a few lines. */
  text: string
}

const longestText = 2000

/** Runs one of the machine's programs to its end. Never rejects. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<Ended> {
  try {
    return await run(command, args, options)
  } catch (error) {
    // Some errors, such as failing to change the user, are thrown and not emitted.
    return { code: null, text: startFailure(command, error) }
  }
}

/** Why a program could not be started, in words. */
export function startFailure(command: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return `${command} is not installed`
  if (code === 'EACCES') return `${command} may not be run by this user: its file is not executable`
  return `${command} could not be started: ${message}`
}

function run(
  command: string,
  args: readonly string[],
  { env, user, signal }: ProgramOptions,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let text = ''
    const child = spawn(command, args, {
      cwd: '/',
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
      ...(signal ? { signal, killSignal: 'SIGKILL' } : {}),
    })
    const hear = (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(0, longestText)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, text: text.trim() }))
  })
}
