import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { PoolConfig } from 'pg'

export interface ServiceProcess {
  url: string
  child: ChildProcess
  /** Resolves when the process has gone, however it went. */
  gone: Promise<unknown>
  stop(): Promise<void>
}

const program = path.resolve(import.meta.dirname, 'service-child.js')

const environment = (env: Record<string, string>) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: '0',
  ...env,
})

/** Starts a service in a process of its own, and waits until it listens. */
export async function startProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [program], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  const url = await firstLine(child)
  return {
    url,
    child,
    gone,
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** A process that has loaded the service and runs it on request, as often as needed. */
export interface StandbyProcess {
  /** Starts the service, and waits until it listens. */
  serve(): Promise<{ url: string; stop(): Promise<void> }>
  end(): Promise<void>
}

export function startStandby(env: Record<string, string>): StandbyProcess {
  const child = spawn(process.execPath, [program], {
    env: environment(env),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const ask = async (request: 'start' | 'stop'): Promise<unknown> => {
    const answer = once(child, 'message').then(([message]: unknown[]) => message)
    child.send(request)
    const ended = gone.then(() => Promise.reject(new Error(`the service ended at ${request}`)))
    return Promise.race([answer, ended])
  }
  return {
    async serve() {
      const url = String(await ask('start'))
      return { url, stop: async () => void (await ask('stop')) }
    },
    async end() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout) for await (const chunk of stdout) return String(chunk).trim()
  throw new Error('the service ended before it listened')
}

/** The same connection as a URL, as a setting wants it. */
export function urlOf({ connectionString, host, user, password, database }: PoolConfig): string {
  if (connectionString !== undefined) return connectionString
  return `postgres://${user}:${String(password)}@/${database}?host=${encodeURIComponent(String(host))}`
}
