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

/** Starts a service in a process of its own, and waits until it listens. */
export async function startProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...env },
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

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout) for await (const chunk of stdout) return String(chunk).trim()
  throw new Error('the service ended before it listened')
}

/** The same connection as a URL, as a setting wants it. */
export function urlOf({ connectionString, host, user, password, database }: PoolConfig): string {
  if (connectionString !== undefined) return connectionString
  return `postgres://${user}:${String(password)}@/${database}?host=${encodeURIComponent(String(host))}`
}
