import { setTimeout as pause } from 'node:timers/promises'
import type { QueueConnection } from './connection.ts'

const lookEvery = 1000
const patience = 5000

/**
 * Waits for something to be closed, but not for a Redis server that does not respond: what it would
 * have been told is found by the next sweep. The PostgreSQL driver gives up by itself.
 */
export async function closeOrLeave(
  to: QueueConnection,
  close: () => Promise<unknown>,
): Promise<void> {
  const closed = close().then(() => true)
  while (!(await Promise.race([closed, pause(lookEvery, false)]))) {
    if (await responds(to)) continue
    closed.catch(() => {})
    return
  }
}

async function responds(to: QueueConnection): Promise<boolean> {
  if (to.kind !== 'redis') return true
  // While the server is away, commands wait for it.
  const answered = to.redis.ping().then(
    () => true,
    () => false,
  )
  return Promise.race([answered, pause(patience, false)])
}
