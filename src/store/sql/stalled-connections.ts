import type { Socket } from 'node:net'
import type pg from 'pg'
import { createClient } from './client.ts'

/** Milliseconds of silence after which the server is queried whether it is working on the answer. */
const longestSilence = 60_000

/** The parts of a connection that have no type. */
interface Inside {
  processID: number
  readyForQuery: boolean
  connection: { stream: Socket }
}

/**
 * For the setting `onConnect` of a pool: ends connections on which an expected answer never comes, as
 * behind a router that has forgotten them. The query then fails, and other queries get a new connection.
 * Statements may take any time: the server is queried whether it still works on them.
 */
export function endWhenLost(
  settings: pg.PoolConfig,
  silence = longestSilence,
): (client: pg.ClientBase) => void {
  return (client) => {
    const inside = client as unknown as Inside
    const { stream } = inside.connection
    stream.setTimeout(silence)
    let asking = false
    stream.on('timeout', () => {
      if (inside.readyForQuery || asking) return
      asking = true
      const received = stream.bytesRead
      void isWorking(settings, inside.processID).then((works) => {
        asking = false
        // The connection may have answered meanwhile, and may even serve another query.
        if (works || stream.bytesRead > received) stream.setTimeout(silence)
        else stream.destroy(new Error(`PostgreSQL has not answered for ${silence / 1000} seconds`))
      })
    })
  }
}

/** Whether the server reports that it works for this connection; false if it cannot be queried. */
async function isWorking(settings: pg.PoolConfig, processId: number): Promise<boolean> {
  const client = createClient({
    ...settings,
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  })
  try {
    await client.connect()
    const { rowCount } = await client.query(
      `select from pg_stat_activity where pid = $1 and state = 'active'`,
      [processId],
    )
    return rowCount === 1
  } catch {
    return false
  } finally {
    client.end().catch(() => {})
  }
}
