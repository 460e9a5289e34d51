import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Engine, openEngine } from '../../../src/runner/executors/docker/engine.ts'

export interface TestEngine {
  engine: Engine
  /** The environment by which an executor finds it. */
  env: Record<string, string>
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Why no engine can be started on this machine; undefined if one can. */
export function whyNoEngine(): string | undefined {
  if (process.getuid?.() !== 0) return 'root, to start an engine of its own'
  if (!existsSync('/usr/sbin/dockerd')) return 'the package docker.io'
  return undefined
}

/** The first half of the addresses of its networks: engines of several workers must not share them. */
export const addresses = `10.${210 + Number(process.env['VITEST_POOL_ID'] ?? 0)}`

/** Starts an engine with a data folder and a socket of its own, apart from the one of the machine. */
export async function startTestEngine(options: readonly string[] = []): Promise<TestEngine> {
  // Short, since the paths of sockets are.
  const folder = mkdtempSync('/tmp/engine-')
  const socket = path.join(folder, 'sock')
  const env = { DOCKER_HOST: `unix://${socket}`, PATH: process.env['PATH'] ?? '', HOME: folder }
  const engine = openEngine(env)
  let daemon: ChildProcess | undefined

  async function start(): Promise<void> {
    for (const file of ['pid', 'exec/containerd/containerd.pid'])
      rmSync(path.join(folder, file), { force: true })
    const child = spawn(
      'dockerd',
      [
        ...['--data-root', `${folder}/data`, '--exec-root', `${folder}/exec`],
        ...['--pidfile', `${folder}/pid`, '-H', `unix://${socket}`, '--bridge=none'],
        ...['--default-address-pool', `base=${addresses}.0.0/16,size=24`],
        ...options,
      ],
      { stdio: ['ignore', 'ignore', 'ignore'], detached: true },
    )
    daemon = child
    for (let tries = 0; tries < 300; tries += 1) {
      if (child.exitCode !== null) throw new Error('the engine ended at its start')
      if (
        await engine.ping().then(
          () => true,
          () => false,
        )
      )
        return
      await pause(100)
    }
    throw new Error('the engine did not start')
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = daemon
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  return {
    engine,
    env,
    start,
    async kill() {
      const file = path.join(folder, 'exec/containerd/containerd.pid')
      const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
      await end('SIGKILL')
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    },
    async stop() {
      await end('SIGTERM')
      for (const mount of mountsBelow(folder)) execFileSync('umount', ['-l', mount])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function mountsBelow(folder: string): string[] {
  const all = readFileSync('/proc/mounts', 'utf8').split('\n')
  const places = all.map((line) => line.split(' ')[1] ?? '')
  return places.filter((place) => place.startsWith(`${folder}/`)).toReversed()
}
