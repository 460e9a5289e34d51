import path from 'node:path'
import type pg from 'pg'
import { SetupError } from '../../domain/errors.ts'
import { type EmbeddedServer, startEmbedded } from './server.ts'

export interface KeptServer {
  connection: pg.PoolConfig
  /** Resolves when the server has died so often that it is not started again. */
  lost: Promise<SetupError>
  stop(): Promise<void>
}

const mostRestarts = 3
const withinSeconds = 60

/** Starts the embedded server, and restarts it when it dies, a few times within a minute. */
export async function keepEmbedded(
  root: string,
  onDeath: (reason: string) => void,
  milliseconds = () => performance.now(),
): Promise<KeptServer> {
  let latest: Promise<EmbeddedServer> = startEmbedded(root)
  const { connection } = await latest
  let stopped = false

  async function keep(giveUp: (error: SetupError) => void): Promise<void> {
    let deaths: number[] = []
    for (;;) {
      const reason = await endOf(latest)
      if (stopped) return
      const now = milliseconds()
      deaths = [...deaths, now].filter((at) => now - at < withinSeconds * 1000)
      if (deaths.length > mostRestarts) return giveUp(diedTooOften(root, reason))
      onDeath(reason)
      latest = startEmbedded(root)
    }
  }
  const lost = new Promise<SetupError>((giveUp) => void keep(giveUp))

  return {
    connection,
    lost,
    async stop() {
      stopped = true
      const server = await latest.catch(() => undefined)
      await server?.stop()
    },
  }
}

/** Waits until the server has died, or could not be started. */
async function endOf(starting: Promise<EmbeddedServer>): Promise<string> {
  try {
    const { gone } = await starting
    await gone
    return 'it dropped its connections'
  } catch (error) {
    return (error as Error).message
  }
}

function diedTooOften(root: string, reason: string): SetupError {
  return new SetupError(
    `the embedded PostgreSQL in ${root} ended ${mostRestarts + 1} times within a minute ` +
      `(the last time: ${reason}). See its log, ${path.join(root, 'data', 'server.log')}, and start ` +
      'build-service again when the cause is fixed: nothing that was stored is lost.',
  )
}
