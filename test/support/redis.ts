import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Need } from './needs.ts'
import { freePort } from './ports.ts'

export const redis: Need = {
  tests: 'with Redis',
  missing: hasRedis() ? undefined : 'this machine has no redis-server',
}

function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export interface RedisServer {
  url: string
  port: number
  /** Removes all keys. */
  forget(): void
  stop(signal?: 'SIGKILL'): Promise<void>
}

/** Starts a server of its own, which keeps nothing, on a free port or on this one. */
export async function startRedis(given?: number): Promise<RedisServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'build-service-redis-'))
  const port = given ?? (await freePort())
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
  const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] })
  await ready(server)
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    forget() {
      execFileSync('redis-cli', ['-p', String(port), 'flushall'], { stdio: 'ignore' })
    },
    async stop(signal) {
      server.kill(signal)
      await once(server, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function ready({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) return
  for await (const chunk of stdout) {
    if (String(chunk).includes('Ready to accept connections')) break
  }
}
