import { setTimeout as pause } from 'node:timers/promises'
import type { QueueConnection } from './connection.ts'

const lookEvery = 1000
const patience = 5000

/**
 * Waits until something is closed, but not for a Redis server that does not respond: the next sweep
 * finds the work whose updates the server missed. The PostgreSQL driver gives up automatically.
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
  // While the server is unreachable, commands wait for it.
  const answered = to.redis.ping().then(
    () => true,
    () => false,
  )
  return Promise.race([answered, pause(patience, false)])
}
