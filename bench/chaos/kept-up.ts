import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Workplace } from '../harness/workplace.ts'

/** A process of the service that is started again whenever it is gone, as systemd or Docker do it. */
export interface KeptUp {
  /** Ends it as a crash or the kernel would. */
  kill(): void
  /** How it ended when no one had killed it, with its last words. */
  readonly surprises: readonly string[]
  close(): Promise<void>
}

const program = path.resolve(import.meta.dirname, '../../bin/build-service.js')
const restartPause = 200

export function keepUp(
  place: Workplace,
  name: string,
  settings: Readonly<Record<string, string>>,
): KeptUp {
  const log = place.file(`${name}.log`)
  const env: Record<string, string> = {
    ...(process.env.PATH ? { PATH: process.env.PATH } : {}),
    DATA_DIR: place.folder(name),
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const surprises: string[] = []
  let isClosing = false
  let wasKilled = false
  let child = start()
  const over = keep()
  const kept: KeptUp = {
    kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      wasKilled = true
      child.kill('SIGKILL')
    },
    surprises,
    async close() {
      isClosing = true
      child.kill('SIGTERM')
      await over
    },
  }
  return place.keep(kept)

  function start(): ChildProcess {
    const output = openSync(log, 'a')
    const started = spawn(process.execPath, [program, 'start'], {
      env,
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    return started
  }

  async function keep(): Promise<void> {
    for (;;) {
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      if (!wasKilled && !isClosing) surprises.push(`${name}: ${code ?? signal}: ${lastWords()}`)
      wasKilled = false
      await pause(restartPause)
      if (isClosing) return
      child = start()
    }
  }

  function lastWords(): string {
    return readFileSync(log, 'utf8').trim().split('\n').slice(-3).join(' | ')
  }
}
