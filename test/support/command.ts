import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** The command as people start it. */
export const program = path.resolve(import.meta.dirname, '../../bin/build-service.js')

interface Options {
  cwd?: string
  env?: Record<string, string>
}

/** Where commands keep what later ones use. */
const state = mkdtempSync(path.join(tmpdir(), 'build-service-state-'))
process.once('exit', () => rmSync(state, { recursive: true, force: true }))

/** Starts the command as a person does, with nothing of this process' environment but the path. */
export function startCommand(args: readonly string[], { cwd, env }: Options = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    ...(cwd ? { cwd } : {}),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, XDG_STATE_HOME: state, ...env },
  })
}

/** Where a service that was started serves. Its log is read on, because it ends without a reader. */
export function addressOf({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stderr?.on('data', (chunk) => {
      text += String(chunk)
      const found = /serves at (http:[^"\s]+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    stderr?.on('end', () => reject(new Error(`the service did not start: ${text}`)))
  })
}

/** Runs the command to its end. */
export async function command(args: readonly string[], options: Options = {}): Promise<Outcome> {
  return outcomeOf(startCommand(args, options))
}

/** Waits for the end of a process, and returns all that it wrote. */
export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const read = async (stream: ChildProcess['stdout']) => {
    let text = ''
    for await (const chunk of stream ?? []) text += String(chunk)
    return text
  }
  const [stdout, stderr] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    child.exitCode ?? once(child, 'exit'),
  ])
  return { code: child.exitCode, stdout, stderr }
}

/** A folder that is gone when the test ends. */
export function scratchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'build-service-scratch-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
