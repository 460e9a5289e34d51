import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Workplace } from './workplace.ts'

/** A server in a process of its own, so that it does not share an event loop with the measuring process. */
export interface Child {
  url: string
  /** Resolves with the next message that has this member. Call it before triggering the message. */
  hears<T = unknown>(member: string): Promise<T>
  /** Sends a message and resolves with the reply that has the same member. */
  asks<T = unknown>(member: string, value?: unknown): Promise<T>
  /** Ends the process at once, as a crash would. */
  kill(): Promise<void>
  /** Stops the process and waits until it has ended. */
  close(): Promise<void>
}

const patience = 60_000

/**
 * Starts a program of this folder, and waits until it says where it listens. `settings` is all that
 * it sees of the environment.
 */
export async function startChild(
  place: Workplace,
  file: string,
  settings: Readonly<Record<string, string>>,
): Promise<Child> {
  const log = place.file(`${file.replaceAll('/', '-')}.log`)
  const output = openSync(log, 'a')
  const program = path.join(import.meta.dirname, '..', file)
  const child = fork(program, [], {
    execArgv: ['--import', 'tsx'],
    env: { ...(process.env.PATH ? { PATH: process.env.PATH } : {}), ...settings },
    stdio: ['ignore', output, output, 'ipc'],
  })
  closeSync(output)

  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const hears = <T>(member: string) => listen<T>(child, member, () => wordsOf(file, log))
  const url = await hears<string>('url').catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    url,
    hears,
    asks(member, value = true) {
      const answer = hears<never>(member)
      child.send({ [member]: value })
      return answer
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async close() {
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(timer)
    },
  }
}

function listen<T>(child: ChildProcess, member: string, words: () => string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(fail, patience)
    child.on('message', take).once('exit', fail)
    if (child.exitCode !== null || child.signalCode !== null) fail()

    function stop(): void {
      clearTimeout(timer)
      child.off('message', take).off('exit', fail)
    }
    function fail(): void {
      stop()
      reject(new Error(words()))
    }
    function take(message: object): void {
      const said = Object.entries(message).find(([name]) => name === member)
      if (!said) return
      stop()
      resolve(said[1])
    }
  })
}

/** The end of what the process has logged. */
function wordsOf(file: string, log: string): string {
  const lines = readFileSync(log, 'utf8').trim().split('\n').slice(-20)
  return [`bench/${file} did not answer. Its last words:`, ...lines].join('\n')
}
