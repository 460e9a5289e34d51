import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
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

interface TestEngineOptions {
  /** Whether root of containers is an ordinary user of the machine. */
  mapped?: boolean
}

/** Starts an engine with a data folder and a socket of its own, apart from the one of the machine. */
export async function startTestEngine({
  mapped = false,
}: TestEngineOptions = {}): Promise<TestEngine> {
  // Short, because the paths of sockets are.
  const folder = mkdtempSync('/tmp/engine-')
  // Root of a mapped container is another user, who has to reach its files.
  chmodSync(folder, 0o711)
  const socket = path.join(folder, 'sock')
  const env = { DOCKER_HOST: `unix://${socket}`, PATH: process.env['PATH'] ?? '', HOME: folder }
  const log = path.join(folder, 'log')
  const engine = openEngine(env)
  let daemon: ChildProcess | undefined

  /** Engines that start at the same time can meet in the firewall of the machine; one of them then ends. */
  async function start(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const child = launch()
      daemon = child
      if (await answers(child)) return
      await end('SIGKILL')
      if (tries === 3)
        throw new Error(`the engine did not start: ${readFileSync(log, 'utf8').slice(-2000)}`)
    }
  }

  function launch(): ChildProcess {
    for (const file of ['pid', 'exec/containerd/containerd.pid']) {
      rmSync(path.join(folder, file), { force: true })
    }
    const output = openSync(log, 'a')
    const child = spawn(
      'dockerd',
      [
        ...['--data-root', `${folder}/data`, '--exec-root', `${folder}/exec`],
        ...['--pidfile', `${folder}/pid`, '-H', `unix://${socket}`, '--bridge=none'],
        ...(mapped ? ['--userns-remap=default'] : []),
        ...runtime(folder),
        ...['--default-address-pool', `base=${addresses}.0.0/16,size=24`],
      ],
      { stdio: ['ignore', output, output], detached: true },
    )
    closeSync(output)
    return child
  }

  async function answers(child: ChildProcess): Promise<boolean> {
    for (let tries = 0; tries < 300 && child.exitCode === null; tries += 1) {
      if (await engine.ping().catch(() => undefined)) return true
      await pause(100)
    }
    return false
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

/**
 * Options for a machine whose root lacks a right: there, a privileged container could not start, because it gets
 * all of them. The program that starts containers then leaves out the one that is missing.
 */
function runtime(folder: string): string[] {
  const bounds = /^CapBnd:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  const resource = 24n
  if ((BigInt(`0x${bounds}`) >> resource) & 1n) return []
  const file = path.join(folder, 'runc')
  writeFileSync(file, withoutResource, { mode: 0o755 })
  return ['--add-runtime', `own=${file}`, '--default-runtime', 'own']
}

const withoutResource = `#!/bin/bash
words=("$@")
for at in "\${!words[@]}"; do
  case \${words[at]} in
    --bundle) file=\${words[at + 1]}/config.json ;;
    --process) file=\${words[at + 1]} ;;
    *) continue ;;
  esac
  sed -i 's/"CAP_SYS_RESOURCE",//g; s/,"CAP_SYS_RESOURCE"//g' "$file"
done
exec runc "$@"
`
